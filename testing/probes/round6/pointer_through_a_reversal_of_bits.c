// Pointer through a reversal of bits.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
#include <stdint.h>
static uint64_t held;
HANDLER(on_a) {
  UNUSED;
  long *p = (long *)__builtin_bitreverse64(held);
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  held = __builtin_bitreverse64((uint64_t)&g);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
