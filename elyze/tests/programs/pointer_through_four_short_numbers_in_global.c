// The address of an object is kept as four numbers of 16 bits.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
struct quarters {
  uint16_t part[4];
};
static struct quarters hide(void *p) {
  uintptr_t n = (uintptr_t)p;
  return (struct quarters){{n, n >> 16, n >> 32, n >> 48}};
}
static void *seek(struct quarters q) {
  return (void *)((uint64_t)q.part[3] << 48 | (uint64_t)q.part[2] << 32 | (uint64_t)q.part[1] << 16 | q.part[0]);
}
static struct record block;
static struct quarters kept;
static long reads;
HANDLER(on_write) {
  UNUSED;
  struct record *found = (struct record *)seek(kept);
  found->count++;
}
HANDLER(on_read) {
  UNUSED;
  reads += block.count;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  kept = hide(&block);
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
