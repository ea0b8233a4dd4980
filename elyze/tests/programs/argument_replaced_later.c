// The event gets another argument later: a counter.
#include "server.h"

struct one { long hits; };
static struct one first;
static struct event ev;
static long b_calls;
HANDLER(on_first) {
  struct one *o = arg;
  UNUSED;
  o->hits++;
}
HANDLER(on_b) {
  UNUSED;
  b_calls++;
  event_del(&ev);
  event_assign(&ev, base, 5, EV_READ, on_first, &b_calls);
  event_add(&ev, NULL);
}
// CONFLICT always: on_b on_b: b_calls
// CONFLICT always: on_first on_b: b_calls
// CONFLICT session: on_first on_first: first.hits

int main(void) {
  base = event_base_new();
  event_assign(&ev, base, 4, EV_READ, on_first, &first);
  event_add(&ev, NULL);
  when_readable(6, on_b, NULL);
  when_readable(7, on_b, NULL);
  return event_base_dispatch(base);
}
