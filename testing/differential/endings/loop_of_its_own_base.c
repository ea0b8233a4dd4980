// A handler that runs the loop that it is in is refused.
#include "small.h"

HANDLER(on_a) {
  UNUSED;
  printf("%d\n", event_base_loop(base, EVLOOP_NONBLOCK));
}
HANDLER(on_b) {
  UNUSED;
  take(10);
}
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  puts("end");
}
