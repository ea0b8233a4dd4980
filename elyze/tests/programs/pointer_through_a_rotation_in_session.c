// Each session keeps the address of one and the same block as a number that is rotated.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
struct client {
  long own;
  uint64_t kept;
};
static long reads;
HANDLER(on_write) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->own++;
  struct record *found = (struct record *)((client->kept) >> 13 | (client->kept) << 51);
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
    client->kept = (uintptr_t)block << 13 | (uintptr_t)block >> 51;
    when_readable(i, on_write, client);
  }
  for (int i = 20; i < 22; i++) when_readable(i, on_read, block);
  return event_base_dispatch(base);
}
