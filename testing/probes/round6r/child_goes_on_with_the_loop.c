// possible: (B\n)?C\n(B\n)?left\n(B\n)?C\nleft\n=0
// A handler forks, and both go on: what it makes due afterwards is called in either.
#include "p.h"
static pid_t child;
HANDLER(on_b) { UNUSED; (void)!write(1, "B\n", 2); }
HANDLER(on_c) { UNUSED; (void)!write(1, "C\n", 2); }
HANDLER(on_a) {
  UNUSED;
  child = fork();
  if (child == 0) event_reinit(base); else waitpid(child, NULL, 0);
  event_base_once(base, -1, EV_TIMEOUT, on_c, NULL, NULL);
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  puts("left");
  return 0;
}
