// The child of a handler of the inner base goes on in both loops.
#include "small.h"

static struct event_base* inner;
static int child;
HANDLER(on_inner) {
  UNUSED;
  pid_t p = fork();
  if (p == 0) {
    child = 1;
    return;
  }
  int st;
  waitpid(p, &st, 0);
  printf("parent after %d\n", WEXITSTATUS(st));
}
HANDLER(on_outer) {
  UNUSED;
  event_base_dispatch(inner);
  puts(child ? "outer in child" : "outer");
}
HANDLER(on_late) {
  UNUSED;
  puts(child ? "late in child" : "late");
}
int main(void) {
  alarm(10);
  base = event_base_new();
  inner = event_base_new();
  due(inner, on_inner, NULL);
  due(base, on_outer, NULL);
  due_in(20, on_late, NULL);
  event_base_dispatch(base);
  puts(child ? "end of child" : "end");
  return child ? 5 : 0;
}
