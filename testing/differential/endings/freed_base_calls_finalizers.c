// event_base_free() in a handler calls a finaliser.
#include "small.h"

static int n;
static struct event_base* inner;
static void on_final(struct event* e, void* arg) {
  (void)e, (void)arg;
  int v = n;
  take(30);
  n = v + 1;
}
HANDLER(on_never) { UNUSED; }
HANDLER(on_a) {
  UNUSED;
  event_base_free(inner);
}
HANDLER(on_b) {
  UNUSED;
  int v = n;
  take(30);
  n = v + 1;
}
int main(void) {
  base = event_base_new();
  inner = event_base_new();
  struct event* e = event_new(inner, -1, 0, on_never, NULL);
  event_free_finalize(0, e, on_final);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  printf("%d\n", n);
}
