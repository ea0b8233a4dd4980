// As break_leaves_out_the_next, but the address of what breaks the loop is in a variable.
#include "small.h"

static void stop(void) { event_base_loopbreak(base); }
static void (*volatile quit)(void) = stop;
HANDLER(on_a) {
  UNUSED;
  take(30);
  quit();
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
