// Timers that expire while a handler breaks the loop are not called.
#include "small.h"

struct s {
  struct event_base* b;
  int n;
};
HANDLER(on_a) {
  (void)fd, (void)what;
  struct s* s = arg;
  s->n++;
  take(30);
  event_base_loopbreak(s->b);
}
HANDLER(on_b) {
  (void)fd, (void)what;
  struct s* s = arg;
  s->n++;
  take(1);
}
int main(void) {
  base = event_base_new();
  struct s *x = calloc(1, sizeof *x), *y = calloc(1, sizeof *y);
  x->b = y->b = base;
  due_in(5, on_a, x);
  due_in(15, on_b, y);
  due_in(16, on_b, y);
  event_base_dispatch(base);
  printf("%d %d\n", x->n, y->n);
}
