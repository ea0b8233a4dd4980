// As exit_leaves_out_the_next, through a helper and quick_exit().
#include "small.h"

static void leave(int code) {
  say("bye\n");
  quick_exit(code);
}
HANDLER(on_a) {
  UNUSED;
  take(30);
  leave(0);
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
