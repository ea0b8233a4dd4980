// possible: signals 3\n=0
// A raises a signal three times; libevent polls after A only, reads all, and calls on_signal three times in a row.
#include "p.h"
static int signals;
HANDLER(on_signal) {
  UNUSED;
  signals++;
}
HANDLER(on_a) {
  UNUSED;
  int before = signals;
  for (int i = 0; i < 3; i++) raise(SIGUSR2), take(30);
  if (signals != before) signals += 100;
}
HANDLER(on_end) {
  UNUSED;
  printf("signals %d\n", signals);
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  event_add(evsignal_new(base, SIGUSR2, on_signal, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
