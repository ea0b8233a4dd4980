// The address of an object is kept as a number that is subtracted from a key.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
static uint64_t key;
static struct record block;
static uint64_t kept;
static long reads;
HANDLER(on_write) {
  UNUSED;
  struct record *found = (struct record *)(key - kept);
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
  kept = key - (uintptr_t)(&block);
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
