// The address of an object is kept as two halves, each mixed with a key.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
struct halves {
  uint32_t low, high;
};
static struct halves hide(void *p) {
  return (struct halves){(uint32_t)(uintptr_t)p ^ 0x5a5a5a5a, (uint32_t)((uintptr_t)p >> 32) + 7};
}
static struct record block;
static struct halves kept;
static long reads;
HANDLER(on_write) {
  UNUSED;
  struct record *found = (struct record *)((uint64_t)(kept.high - 7) << 32 | (kept.low ^ 0x5a5a5a5a));
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
