// Pointer tagged by an atomic or.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
#include <stdint.h>
static _Atomic uintptr_t held;
HANDLER(on_a) {
  UNUSED;
  long *p = (long *)(atomic_load(&held) & ~(uintptr_t)1);
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  held = (uintptr_t)&g;
  atomic_fetch_or(&held, 1);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
