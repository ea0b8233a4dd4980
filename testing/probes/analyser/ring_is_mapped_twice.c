// A ring lies in memory twice, side by side: byte 0 and byte 4096 are one.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// CONFLICT always: on_b on_b
#define _GNU_SOURCE
#include <sys/mman.h>
#include "server.h"
static char* ring;
HANDLER(on_a) {
  UNUSED;
  ring[0]++;
}
HANDLER(on_b) {
  UNUSED;
  ring[4096]++;
}

int main(void) {
  base = event_base_new();
  int file = memfd_create("ring", 0);
  if (ftruncate(file, 4096)) return 1;
  ring = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mmap(ring, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  mmap(ring + 4096, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
