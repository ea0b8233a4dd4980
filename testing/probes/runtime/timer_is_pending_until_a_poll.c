// possible: pending\n=0
// The timer has run out, but no poll has found it.
#include "p.h"
static struct event* t;
static int calls;
HANDLER(on_timer) {
  UNUSED;
  ++calls;
}
HANDLER(on_a) {
  UNUSED;
  take(80);
  puts(evtimer_pending(t, NULL) ? "pending" : "not pending");
}
int main(void) {
  base = event_base_new();
  t = evtimer_new(base, on_timer, NULL);
  struct timeval in = {0, 20000};
  event_add(t, &in);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
