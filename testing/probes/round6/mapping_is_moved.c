// Mapping is moved.
// CONFLICT: always: on_a on_b: mapping
#define _GNU_SOURCE
#include "server.h"
#include <sys/mman.h>
static long *one, *two;
HANDLER(on_a) {
  UNUSED;
  one[0]++;
}
HANDLER(on_b) {
  UNUSED;
  two[0]++;
}
int main(void) {
  base = event_base_new();
  one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  two = mremap(one, 0, 4096, MREMAP_MAYMOVE);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
