// possible: child\nparent 5\n=0
#include "p.h"
static pid_t child;
HANDLER(on_child) { UNUSED; int s = 0; if (waitpid(child, &s, WNOHANG) > 0) { printf("parent %d\n", WEXITSTATUS(s)); event_base_loopbreak(base); } }
HANDLER(on_signal) { UNUSED; puts("child"); event_base_loopexit(base, NULL); }
HANDLER(on_timer) { UNUSED; raise(SIGUSR2); }
int main(void) {
  base = event_base_new();
  struct event* s = evsignal_new(base, SIGCHLD, on_child, NULL);
  event_add(s, NULL);
  due(base, spare, NULL);
  child = fork();
  if (child == 0) {
    event_reinit(base);
    event_del(s);
    event_add(evsignal_new(base, SIGUSR2, on_signal, NULL), NULL);
    due_in(30, on_timer, NULL);
    event_base_dispatch(base);
    return 5;
  }
  event_base_dispatch(base);
  return 0;
}
