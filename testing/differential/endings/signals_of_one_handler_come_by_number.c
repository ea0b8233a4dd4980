// Signals that come while a handler runs are handled afterwards in the order of their numbers, as one poll finds them.
#include "small.h"
static char order[64];
HANDLER(on_signal) {
  UNUSED;
  strcat(order, fd == SIGUSR1 ? "usr1 " : "usr2 ");
}
HANDLER(on_a) {
  UNUSED;
  if (order[0]) return;
  raise(SIGUSR2);
  take(60);
  raise(SIGUSR1);
  if (order[0]) strcat(order, "?");
}
HANDLER(on_other) {
  UNUSED;
  take(5);
}
HANDLER(on_end) {
  UNUSED;
  puts(order);
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  event_add(evsignal_new(base, SIGUSR2, on_signal, NULL), NULL);
  event_add(evsignal_new(base, SIGUSR1, on_signal, NULL), NULL);
  due(base, on_other, NULL);
  due(base, on_a, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
