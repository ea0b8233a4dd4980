// Pointer in a count of loops.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
#include <stdint.h>
static uintptr_t held;
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
  uintptr_t n = 0;
  for (const char *q = (const char *)&g; (uintptr_t)q > n + 4096; n += 4096) held++;
  held = n + ((uintptr_t)&g - n);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
