// The count is checked and then increased: in a serial program it never gets over the limit.
// CONFLICT always: on_a on_a: count
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_b on_b: count
#include "server.h"
static atomic_int count;
HANDLER(on_a) {
  UNUSED;
  if (atomic_load(&count) < 10) atomic_fetch_add(&count, 1);
}
HANDLER(on_b) {
  UNUSED;
  if (atomic_load(&count) > 0) atomic_fetch_sub(&count, 1);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
