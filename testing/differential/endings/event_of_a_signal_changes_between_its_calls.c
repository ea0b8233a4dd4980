/* One activation of a signal's event stands for three calls, and libevent looks at the event before each: an activation
 * from within is counted down with them, other flags are told, and what the event is assigned to is called. */
#include "small.h"

static struct event* ev;
static int calls;
static char flags[16];

HANDLER(on_counted) {
  UNUSED;
  if (++calls == 1) event_active(ev, EV_SIGNAL, 1);
}
HANDLER(on_flagged) {
  (void)fd, (void)arg;
  const size_t length = strlen(flags);
  snprintf(flags + length, sizeof flags - length, "%d ", what);
  if (length == 0) event_active(ev, EV_READ, 1);
}
HANDLER(on_second) {
  UNUSED;
  say("second\n");
}
HANDLER(on_first) {
  UNUSED;
  say("first\n");
  event_assign(ev, base, SIGUSR2, EV_SIGNAL, on_second, NULL);
}

static void run(short events, event_callback_fn handler) {
  ev = event_new(base, SIGUSR2, events, handler, NULL);
  event_add(ev, NULL);
  event_active(ev, EV_SIGNAL, 3);
  for (int i = 0; i < 3; ++i) event_base_loop(base, EVLOOP_NONBLOCK);
  event_free(ev);
}

int main(void) {
  base = event_base_new();
  run(EV_SIGNAL | EV_PERSIST, on_counted);
  printf("%d calls\n", calls);
  run(EV_SIGNAL | EV_PERSIST, on_flagged);
  printf("%s\n", flags);
  run(EV_SIGNAL, on_first);
  return 0;
}
