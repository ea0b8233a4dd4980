// possible: once\n=0
// "If it is not pending, add it": a timer that no poll has found is pending, so it comes once.
#include "p.h"
static struct event* t;
static int calls;
HANDLER(on_timer) { UNUSED; ++calls; }
HANDLER(on_a) {
  UNUSED;
  struct timeval in = {0, 20000};
  if (!evtimer_pending(t, NULL)) event_add(t, &in);
  take(60);
  if (!evtimer_pending(t, NULL)) event_add(t, &in);
}
int main(void) {
  base = event_base_new();
  t = evtimer_new(base, on_timer, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts(calls == 1 ? "once" : "twice");
  return 0;
}
