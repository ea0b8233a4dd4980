// Sums whose results nobody looks at commute, however many an invocation makes; not with a value that is set.
// SAFE: on_count on_count
// SAFE: on_count on_show
// CONFLICT always: on_count on_reset: bytes
// SAFE: on_reset on_reset
// SAFE: on_reset on_show
// SAFE: on_show on_show
#include "server.h"

static atomic_long bytes;

HANDLER(on_count) {
  UNUSED;
  for (int i = 0; i < 3; i++) atomic_fetch_add(&bytes, 100 + fd);
  atomic_fetch_sub(&bytes, 8);
}
HANDLER(on_reset) {
  UNUSED;
  atomic_store(&bytes, 0);
}
HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", atomic_load(&bytes));
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_count, NULL);
  when_readable(4, on_reset, NULL);
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
