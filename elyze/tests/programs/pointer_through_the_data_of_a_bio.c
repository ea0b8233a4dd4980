// The bytes of an address are written to a BIO, and read in its memory.
#include <openssl/bio.h>

#include "server.h"

struct record {
  char name[8];
  long count;
};
struct kept {
  BIO *bio;
};
static void hide(struct kept *k, void *p) { k->bio = BIO_new(BIO_s_mem()); BIO_write(k->bio, &p, sizeof p); }
static void *seek(struct kept *k) { char *data = NULL; BIO_get_mem_data(k->bio, &data); void *p; memcpy(&p, data, sizeof p); return p; }
struct client {
  long own;
  struct kept kept;
};
static long reads;
HANDLER(on_write) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->own++;
  struct record *found = seek(&client->kept);
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
    hide(&client->kept, block);
    when_readable(i, on_write, client);
  }
  for (int i = 20; i < 22; i++) when_readable(i, on_read, block);
  return event_base_dispatch(base);
}
