// Each session keeps the address of one and the same block as two halves, each mixed with a key.
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
struct client {
  long own;
  struct halves kept;
};
static long reads;
HANDLER(on_write) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->own++;
  struct record *found = (struct record *)((uint64_t)((client->kept).high - 7) << 32 | ((client->kept).low ^ 0x5a5a5a5a));
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
