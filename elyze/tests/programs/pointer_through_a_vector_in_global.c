// The address of an object is kept as the elements of a vector.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
typedef uint32_t pair_of_numbers __attribute__((vector_size(8)));
static pair_of_numbers hide(void *p) {
  pair_of_numbers halves = {(uint32_t)((uintptr_t)p >> 32), (uint32_t)(uintptr_t)p};
  return __builtin_shufflevector(halves, halves, 1, 0) + 3;
}
static void *seek(pair_of_numbers halves) {
  halves -= 3;
  return (void *)((uint64_t)halves[1] << 32 | halves[0]);
}
static struct record block;
static pair_of_numbers kept;
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
