// The child begins when no handler is half done.
#include "small.h"

HANDLER(on_b) {
  UNUSED;
  take(40);
  say("b\n");
}
HANDLER(on_a) {
  UNUSED;
  take(10);
  pid_t p = fork();
  if (p == 0) {
    say("child\n");
    _exit(0);
  }
  waitpid(p, NULL, 0);
}
int main(void) {
  alarm(20);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  say("end\n");
}
