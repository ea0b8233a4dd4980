// Signals that come while a handler runs are handled one by one afterwards, none is lost.
#include "small.h"

static int seen;
HANDLER(on_signal) {
  UNUSED;
  if (++seen == 3) event_base_loopbreak(base);
}
HANDLER(on_work) {
  UNUSED;
  for (int i = 0; i < 3; ++i) {
    raise(SIGUSR2);
    take(20);
  }
}
HANDLER(on_late) {
  UNUSED;
  printf("lost: %d seen\n", seen);
  event_base_loopbreak(base);
}
HANDLER(on_other) {
  UNUSED;
  take(5);
}
int main(void) {
  base = event_base_new();
  struct event* s = evsignal_new(base, SIGUSR2, on_signal, NULL);
  event_add(s, NULL);
  due(base, on_work, NULL);
  for (int i = 0; i < 3; ++i) due(base, on_other, NULL);
  due_in(900, on_late, NULL);
  event_base_dispatch(base);
  puts("end");
}
