// Pointer through modf.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
#include <math.h>
#include <stdint.h>
static double whole;
HANDLER(on_a) {
  UNUSED;
  long *p = (long *)(uintptr_t)whole;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  modf((double)(uintptr_t)&g + 0.5, &whole);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
