// A sum is doubled: the operand is a load of the same atomic.
// CONFLICT always: on_a on_a: count
// CONFLICT always: on_a on_b: count
// SAFE: on_b on_b
#include "server.h"
static atomic_int count = 1;
HANDLER(on_a) {
  UNUSED;
  atomic_fetch_add(&count, atomic_load(&count));
}
HANDLER(on_b) {
  UNUSED;
  atomic_fetch_add(&count, 1);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
