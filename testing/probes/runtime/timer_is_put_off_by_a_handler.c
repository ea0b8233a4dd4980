// possible: (put off\n){4}late\n=0
// A watchdog timer that each handler puts off, though it works longer than the timer is long.
#include "p.h"
static struct event* late;
HANDLER(on_late) {
  UNUSED;
  fputs("late\n", stderr);
  event_base_loopbreak(base);
}
HANDLER(on_a) {
  UNUSED;
  struct timeval t = {0, 60000};
  event_add(late, &t);
  take(100);
  event_add(late, &t);
  fputs("put off\n", stdout);
  long n = (long)arg;
  if (n > 1) event_base_once(base, -1, EV_TIMEOUT, on_a, (void*)(n - 1), NULL);
}
int main(void) {
  base = event_base_new();
  late = evtimer_new(base, on_late, NULL);
  due(base, spare, NULL);
  due(base, on_a, (void*)4L);
  event_base_dispatch(base);
  return 0;
}
