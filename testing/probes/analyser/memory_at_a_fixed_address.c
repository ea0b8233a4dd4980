// Memory is mapped at an address that the program chooses, and reached by that number.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#define _GNU_SOURCE
#include <sys/mman.h>
#include "server.h"
#define SHARED ((long*)0x10000000)
HANDLER(on_a) {
  UNUSED;
  (*SHARED)++;
}
HANDLER(on_b) {
  UNUSED;
  *SHARED += 2;
}

int main(void) {
  base = event_base_new();
  if (mmap(SHARED, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) return 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
