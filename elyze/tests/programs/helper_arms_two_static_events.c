// A helper arms two static events of one handler, without an argument; another handler takes the second one away.
// CONFLICT always: on_fired on_clear
#include "server.h"
struct session { struct session *next; long n; };
static struct event tick_a, tick_b;
HANDLER(on_fired) { UNUSED; }
HANDLER(on_clear) { UNUSED; event_del(&tick_b); tick_b.ev_events = 0; }
static void arm(struct event *e) { event_assign(e, base, -1, EV_PERSIST, on_fired, NULL); event_add(e, &(struct timeval){0, 1000}); }
static void both(void) { arm(&tick_a); arm(&tick_b); }
int main(void) {
  base = event_base_new();
  both();
  when_readable(9, on_clear, NULL);
  return event_base_dispatch(base);
}
