// Pointer through a complex number.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
#include <stdint.h>
static double _Complex held;
HANDLER(on_a) {
  UNUSED;
  long *p = (long *)(uintptr_t)__real__ held;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  held = (double)(uintptr_t)&g;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
