// A sum of 16 bits drops its carry, one of 32 bits at the same place does not.
// IMPRECISE: on_a on_a: never
// CONFLICT always: on_a on_b: count
// SAFE: on_b on_b
#include "server.h"

static union {
  _Atomic unsigned whole;
  _Atomic unsigned short low;
} count;

HANDLER(on_a) {
  UNUSED;
  count.whole += 0x8000;
  count.whole -= 0x8000;
}

HANDLER(on_b) {
  UNUSED;
  count.low += 0x8000;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
