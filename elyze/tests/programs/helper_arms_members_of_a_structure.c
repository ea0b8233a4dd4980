// Timers of the program are made by one helper, in a table.
// CONFLICT always: on_tick on_clear
#include "server.h"
static struct { struct event *stats, *sweep, *flush; } timers;
HANDLER(on_tick) { UNUSED; }
HANDLER(on_clear) { UNUSED; event_free(timers.flush); timers.flush = NULL; }
static void arm(struct event **where, int seconds) { struct timeval t = {seconds, 0}; *where = event_new(base, -1, EV_PERSIST, on_tick, NULL); event_add(*where, &t); }
int main(void) {
  base = event_base_new();
  arm(&timers.stats, 1); arm(&timers.sweep, 2); arm(&timers.flush, 3);
  when_readable(9, on_clear, NULL);
  return event_base_dispatch(base);
}
