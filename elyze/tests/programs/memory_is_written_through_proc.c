// The kernel writes the program's memory: the position in /proc/self/mem is an address.
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include <stdint.h>
#include "server.h"
static long count;
static int memory;
HANDLER(on_a) {
  UNUSED;
  long more = 1;
  if (pwrite(memory, &more, sizeof more, (off_t)(uintptr_t)&count) != sizeof more) abort();
}
HANDLER(on_b) {
  UNUSED;
  printf("%ld %ld\n", count, count);
}

int main(void) {
  base = event_base_new();
  memory = open("/proc/self/mem", O_RDWR);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
