// A pointer is written into a file without a name, and read where that file is mapped.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#define _GNU_SOURCE
#include <sys/mman.h>
#include "server.h"
struct item {
  long hits;
};
static struct item item;
static struct item** map;
HANDLER(on_a) {
  UNUSED;
  (*map)->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  int file = memfd_create("x", 0);
  struct item* mine = &item;
  if (pwrite(file, &mine, sizeof mine, 0) != sizeof mine) return 1;
  map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
