// CONFLICT always: on_a on_b: one atomic store of eight bytes beside two atomic loads of four
// Schedule: B loads the low half (old), A stores both, B loads the high half (new). (near atomics-unordered)
#include "server.h"
#include <stdint.h>
static union {
  _Atomic uint64_t all;
  _Atomic uint32_t half[2];
} u;
HANDLER(on_a) {
  UNUSED;
  atomic_store(&u.all, 0x100000001);
}
HANDLER(on_b) {
  UNUSED;
  uint32_t x = atomic_load(&u.half[0]), y = atomic_load(&u.half[1]);
  if (x != y) abort();
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
