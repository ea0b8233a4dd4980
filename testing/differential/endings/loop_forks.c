// A handler of the inner base forks; all go on.
#include "small.h"

static struct event_base* inner;
HANDLER(on_inner) {
  UNUSED;
  pid_t p = fork();
  if (p == 0) {
    puts("child");
    _exit(3);
  }
  int st;
  waitpid(p, &st, 0);
  printf("%d\n", WEXITSTATUS(st));
}
HANDLER(on_outer) {
  UNUSED;
  event_base_dispatch(inner);
  puts("outer");
}
HANDLER(on_other) {
  UNUSED;
  take(20);
}
int main(void) {
  alarm(10);
  base = event_base_new();
  inner = event_base_new();
  due(inner, on_inner, NULL);
  due(base, on_other, NULL);
  due(base, on_outer, NULL);
  due(base, on_other, NULL);
  event_base_dispatch(base);
  puts("end");
}
