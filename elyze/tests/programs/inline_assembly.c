#define _GNU_SOURCE
#include "server.h"

HANDLER(on_a) {
  UNUSED;
  __asm__ volatile("nop");
}
HANDLER(on_b) { UNUSED; }
// CONFLICT always: on_a on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
