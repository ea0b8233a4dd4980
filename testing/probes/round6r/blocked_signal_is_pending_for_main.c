// possible: 1\n=0
// What a handler raised is pending for the thread of the loop, when the loop has ended.
#include "p.h"
HANDLER(on_a) { UNUSED; take(10); raise(SIGUSR2); }
HANDLER(work) { UNUSED; take(30); }
int main(void) {
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGUSR2);
  sigprocmask(SIG_BLOCK, &s, NULL);
  base = event_base_new();
  due(base, work, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  sigpending(&s);
  printf("%d\n", sigismember(&s, SIGUSR2));
  return 0;
}
