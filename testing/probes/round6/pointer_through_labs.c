// Pointer through labs.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
static long held;
HANDLER(on_a) {
  UNUSED;
  long *p = (long *)held;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  held = labs(-(long)&g);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
