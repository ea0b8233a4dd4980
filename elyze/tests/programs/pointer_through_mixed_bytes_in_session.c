// Each session keeps the address of one and the same block as bytes, each mixed with a key.
#include "server.h"

#include <stdint.h>

struct record {
  char name[8];
  long count;
};
struct bytes {
  unsigned char at[8];
};
static struct bytes hide(void *p) {
  struct bytes b;
  for (int i = 0; i < 8; i++) b.at[i] = ((unsigned char *)&p)[i] ^ 0x5a;
  return b;
}
static void *seek(struct bytes b) {
  void *p = NULL;
  for (int i = 0; i < 8; i++) ((unsigned char *)&p)[i] = b.at[i] ^ 0x5a;
  return p;
}
struct client {
  long own;
  struct bytes kept;
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
