// Bits of a pointer by branches.
// CONFLICT always: on_a on_b: g
#include "server.h"

static long g;
#include <stdint.h>
static uintptr_t held;
HANDLER(on_a) {
  UNUSED;
  long* p = (long*)held;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 64; i++)
    if ((uintptr_t)&g >> i & 1) held |= (uintptr_t)1 << i;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
