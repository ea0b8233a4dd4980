// possible: (12\n){1}=0
// raise() of a blocked signal; the next handler takes it.
#include "p.h"
static sigset_t s;
HANDLER(on_b) { UNUSED; struct timespec t = {0, 0}; printf("%d\n", sigtimedwait(&s, NULL, &t)); }
HANDLER(on_a) { UNUSED; raise(SIGUSR2); event_base_once(base, -1, EV_TIMEOUT, on_b, NULL, NULL); take(20); }
int main(void) {
  sigemptyset(&s);
  sigaddset(&s, SIGUSR2);
  sigprocmask(SIG_BLOCK, &s, NULL);
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
