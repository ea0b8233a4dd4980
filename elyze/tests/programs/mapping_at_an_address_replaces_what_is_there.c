// mmap() with MAP_FIXED writes the memory that it is given.
// CONFLICT always: on_map on_map: page
// CONFLICT always: on_map on_read: page
// SAFE: on_read on_read
#define _GNU_SOURCE
#include <sys/mman.h>

#include "server.h"

static char page[4096] __attribute__((aligned(4096)));

HANDLER(on_map) {
  UNUSED;
  mmap(page, sizeof page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

HANDLER(on_read) {
  UNUSED;
  printf("%d\n", page[0]);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_map, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
