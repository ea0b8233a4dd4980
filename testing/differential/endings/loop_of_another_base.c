// A handler runs the loop of another base, whose handler counts like one of this base.
#include "small.h"

static struct event_base* inner;
static int n;
HANDLER(on_inner) {
  UNUSED;
  int v = n;
  take(30);
  n = v + 1;
}
HANDLER(on_outer) {
  UNUSED;
  event_base_loop(inner, EVLOOP_ONCE);
}
HANDLER(on_other) {
  UNUSED;
  int v = n;
  take(30);
  n = v + 1;
}
int main(void) {
  base = event_base_new();
  inner = event_base_new();
  due(inner, on_inner, NULL);
  due(base, on_outer, NULL);
  due(base, on_other, NULL);
  event_base_dispatch(base);
  printf("%d\n", n);
}
