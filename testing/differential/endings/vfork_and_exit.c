// A child of vfork() ends, and its parent goes on.
#include "small.h"

HANDLER(on_c) {
  UNUSED;
  pid_t p = vfork();
  if (p == 0) _exit(4);
  int st;
  waitpid(p, &st, 0);
  printf("%d\n", WEXITSTATUS(st));
}
HANDLER(on_e) {
  UNUSED;
  take(30);
}
int main(void) {
  alarm(20);
  base = event_base_new();
  due(base, on_e, NULL);
  due(base, on_c, NULL);
  due(base, on_e, NULL);
  event_base_dispatch(base);
  puts("end");
}
