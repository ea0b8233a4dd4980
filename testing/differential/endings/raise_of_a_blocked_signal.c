// A blocked signal waits for whichever handler asks for it.
#include "small.h"

HANDLER(on_a) {
  UNUSED;
  take(10);
  raise(SIGUSR2);
}
HANDLER(on_c) {
  UNUSED;
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGUSR2);
  struct timespec t = {1, 0};
  printf("%d\n", sigtimedwait(&s, NULL, &t) == SIGUSR2);
}
HANDLER(on_b) {
  UNUSED;
  take(20);
}
int main(void) {
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGUSR2);
  sigprocmask(SIG_BLOCK, &s, NULL);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  due_in(60, on_c, NULL);
  event_base_dispatch(base);
}
