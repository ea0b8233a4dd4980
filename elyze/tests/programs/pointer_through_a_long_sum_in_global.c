// The address of an object is kept as a long sum.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
static uint64_t keys[10];
static struct record block;
static uint64_t kept;
static long reads;
HANDLER(on_write) {
  UNUSED;
  struct record *found = (struct record *)(kept - keys[0] - keys[1] - keys[2] - keys[3] - keys[4] - keys[5] - keys[6] - keys[7] - keys[8]);
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
  kept = (uintptr_t)(&block) + keys[0] + keys[1] + keys[2] + keys[3] + keys[4] + keys[5] + keys[6] + keys[7] + keys[8];
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
