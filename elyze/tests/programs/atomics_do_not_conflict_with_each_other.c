#define _GNU_SOURCE
#include "server.h"

static atomic_int hits;
HANDLER(on_a) {
  UNUSED;
  atomic_fetch_add(&hits, 1);
}
HANDLER(on_b) {
  UNUSED;
  if (atomic_load(&hits) > 5) exit(1);
}
// SAFE: on_a on_a
// SAFE: on_a on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
