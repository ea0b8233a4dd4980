// One function keeps the address of what it is given as a number that is rotated, another one finds it again.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
static uint64_t kept[4];
static void keep(struct record *block, int at) {
  kept[at] = (uintptr_t)block << 13 | (uintptr_t)block >> 51;
}
static struct record *find(int at) { return (struct record *)((kept[at]) >> 13 | (kept[at]) << 51); }
static void count(struct record *block) { block->count++; }
static struct record *first;
static long reads;
HANDLER(on_write) {
  UNUSED;
  count(find(fd & 3));
}
HANDLER(on_read) {
  UNUSED;
  reads += first->count;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  first = calloc(1, sizeof *first);
  for (int i = 0; i < 4; i++) keep(first, i);
  for (int i = 3; i < 9; i++) when_readable(i, on_write, NULL);
  for (int i = 20; i < 22; i++) when_readable(i, on_read, NULL);
  return event_base_dispatch(base);
}
