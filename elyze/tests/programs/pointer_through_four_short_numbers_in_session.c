// Each session keeps the address of one and the same block as four numbers of 16 bits.
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
struct client {
  long own;
  struct quarters kept;
};
static long reads;
HANDLER(on_write) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->own++;
  struct record *found = (struct record *)seek(client->kept);
  found->count++;
}
HANDLER(on_read) {
  (void)fd, (void)what;
  reads += ((struct record *)arg)->count;
}
// CONFLICT always: on_write on_write
// CONFLICT always: on_write on_read
// CONFLICT always: on_read on_read: reads

int main(void) {
  base = event_base_new();
  struct record *block = calloc(1, sizeof *block);
  for (int i = 3; i < 9; i++) {
    struct client *client = calloc(1, sizeof *client);
    client->kept = hide(block);
    when_readable(i, on_write, client);
  }
  for (int i = 20; i < 22; i++) when_readable(i, on_read, block);
  return event_base_dispatch(base);
}
