// A helper makes a timer at each call, without an argument; a handler changes the second one.
// CONFLICT always: on_tick on_clear
#include "server.h"
static struct event *a, *b;
HANDLER(on_tick) { UNUSED; }
HANDLER(on_clear) { UNUSED; event_del(b); b->ev_events = 0; }
static struct event *timer(void) { return event_new(base, -1, EV_PERSIST, on_tick, NULL); }
int main(void) {
  base = event_base_new();
  a = timer(); b = timer(); event_add(a, &(struct timeval){0, 1000}); event_add(b, &(struct timeval){0, 1000});
  when_readable(9, on_clear, NULL);
  return event_base_dispatch(base);
}
