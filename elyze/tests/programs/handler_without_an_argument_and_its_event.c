// The same with the events: the sessions have them, and change them.
// IMPRECISE: on_tick on_second: session
// IMPRECISE: on_tick on_first: session
// SAFE: on_tick on_tick
// SAFE: on_first on_second
#include "server.h"
struct first { struct event *timer; long n; };
struct second { long pad; struct event *timer; };
static void on_tick(void) {}
HANDLER(on_first) { struct first *s = arg; UNUSED; event_del(s->timer); }
HANDLER(on_second) { struct second *s = arg; UNUSED; event_del(s->timer); }
// CONFLICT session: on_first on_first
// CONFLICT session: on_second on_second
int main(void) {
  base = event_base_new(); struct timeval soon = {0, 1000};
  for (int i = 3; i < 6; i++) {
    struct first *a = calloc(1, sizeof *a); struct second *b = calloc(1, sizeof *b);
    a->timer = event_new(base, -1, EV_PERSIST, (event_callback_fn)on_tick, a); event_add(a->timer, &soon);
    b->timer = event_new(base, -1, EV_PERSIST, (event_callback_fn)on_tick, b); event_add(b->timer, &soon);
    when_readable(i, on_first, a); when_readable(i + 10, on_second, b);
  }
  return event_base_dispatch(base);
}
