// possible: =-10
// A child sends SIGUSR1 to its parent, who has it blocked until the child is reaped: it ends by the default action.
#include "p.h"
HANDLER(on_h) {
  UNUSED;
  sigset_t s, old;
  sigemptyset(&s), sigaddset(&s, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &s, &old);
  pid_t me = getpid(), child = fork();
  if (child == 0) {
    kill(me, SIGUSR1);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  due(base, on_h, NULL), due(base, spare, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  puts("alive");
  return 0;
}
