// What stands behind a handler that ends the process is not called.
#include "small.h"

HANDLER(on_a) {
  UNUSED;
  take(30);
  say("a\n");
  exit(0);
}
HANDLER(on_b) {
  UNUSED;
  take(5);
  say("b\n");
}
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  puts("end");
}
