#define _GNU_SOURCE
#include "server.h"

static struct {
  unsigned a : 3, b : 5;
} flags;
HANDLER(on_a) {
  UNUSED;
  flags.a = 1;
}
HANDLER(on_b) {
  UNUSED;
  flags.b = 2;
}
// CONFLICT always: on_a on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
