// As loop_of_another_base, but a helper runs the loop, and does not wait in it.
#include "small.h"

static int n;
static void spin(struct event_base* b) { event_base_loop(b, EVLOOP_NONBLOCK); }
static void (*volatile run)(struct event_base*) = spin;
HANDLER(on_inner) {
  UNUSED;
  int v = n;
  take(30);
  n = v + 1;
}
HANDLER(on_outer) {
  (void)fd, (void)what;
  run(arg);
}
HANDLER(on_other) {
  UNUSED;
  int v = n;
  take(30);
  n = v + 1;
}
int main(void) {
  base = event_base_new();
  struct event_base* inner = event_base_new();
  due(inner, on_inner, NULL);
  due(base, on_outer, inner);
  due(base, on_other, NULL);
  event_base_dispatch(base);
  printf("%d\n", n);
}
