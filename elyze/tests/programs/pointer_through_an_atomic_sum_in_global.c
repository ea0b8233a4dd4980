// The address of an object is kept as an atomic addition.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
static uint64_t key;
static struct record block;
static _Atomic uint64_t kept;
static long reads;
HANDLER(on_write) {
  UNUSED;
  struct record *found = (struct record *)(atomic_load(&kept) - key);
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
  atomic_fetch_add(&kept, (uintptr_t)&block + key);
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
