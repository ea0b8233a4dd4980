// What stands behind a handler that breaks the loop is not called.
#include "small.h"

HANDLER(on_a) {
  UNUSED;
  take(30);
  say("a\n");
  event_base_loopbreak(base);
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
  int r = event_base_dispatch(base);
  printf("end %d %d\n", r, event_base_got_break(base));
}
