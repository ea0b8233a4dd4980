// Two mappings of one open file are the same memory.
// CONFLICT always: on_hit on_hit: file
// CONFLICT always: on_hit on_show: file
// SAFE: on_show on_show
#include <sys/mman.h>

#include "server.h"

static int file;

HANDLER(on_hit) {
  UNUSED;
  long* hits = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ++*hits;
}

HANDLER(on_show) {
  UNUSED;
  const long* hits = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  printf("%ld\n", *hits);
}

int main(void) {
  char name[] = "countXXXXXX";
  file = mkstemp(name);
  if (ftruncate(file, 4096) != 0) return 1;
  base = event_base_new();
  when_readable(3, on_hit, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
