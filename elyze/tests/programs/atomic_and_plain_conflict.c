#define _GNU_SOURCE
#include "server.h"

static int hits;
HANDLER(on_a) {
  UNUSED;
  __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
}
HANDLER(on_b) {
  UNUSED;
  if (hits > 5) exit(1);
}
// CONFLICT always: on_a on_b: hits

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
