// Two handlers run the loop of the same base: neither is refused.
#include "small.h"

static struct event_base* inner;
static int n;
HANDLER(on_inner) {
  UNUSED;
  take(10);
  n++;
}
HANDLER(on_a) {
  UNUSED;
  if (event_base_loop(inner, EVLOOP_NONBLOCK) < 0) puts("refused");
  take(30);
}
HANDLER(on_b) {
  UNUSED;
  if (event_base_loop(inner, EVLOOP_NONBLOCK) < 0) puts("refused");
  take(30);
}
int main(void) {
  base = event_base_new();
  inner = event_base_new();
  due(inner, on_inner, NULL);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  printf("%d\n", n);
}
