/* libevent calls the log callback in the middle of whatever handler called libevent. */
#include "server.h"

static int lines;

static void count_line(int severity, const char *text) {
  (void)severity, (void)text;
  lines++;
}

HANDLER(on_read) {
  UNUSED;
  event_base_loopbreak(base);
}

HANDLER(on_tick) {
  UNUSED;
  event_base_loopexit(base, NULL);
}

HANDLER(on_idle) { UNUSED; }

int main(void) {
  base = event_base_new();
  event_set_log_callback(count_line);
  when_readable(3, on_read, NULL);
  when_readable(4, on_tick, NULL);
  when_readable(5, on_idle, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_read on_read: lines
// CONFLICT always: on_read on_tick: lines
// CONFLICT always: on_tick on_tick: lines
// SAFE: on_read on_idle
// SAFE: on_tick on_idle
// SAFE: on_idle on_idle
