#define _GNU_SOURCE
#include <stdint.h>

#include "server.h"
static int value;
static uintptr_t kept;
HANDLER(on_a) {
  UNUSED;
  *(int *)(kept & ~(uintptr_t)1) = 3;
}
HANDLER(on_b) {
  UNUSED;
  if (value) exit(1);
}
// CONFLICT always: on_a on_b: value

int main(void) {
  base = event_base_new();
  kept = (uintptr_t)&value | 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
