// The bytes of an address are a key, which is asked for again.
#include <openssl/evp.h>

#include "server.h"

struct record {
  char name[8];
  long count;
};
struct kept {
  EVP_PKEY *key;
};
static void hide(struct kept *k, void *p) { void *bytes[4] = {p, p, p, p}; k->key = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, (unsigned char *)bytes, sizeof bytes); }
static void *seek(struct kept *k) { void *bytes[4] = {0}; size_t size = sizeof bytes; EVP_PKEY_get_raw_public_key(k->key, (unsigned char *)bytes, &size); return bytes[0]; }
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
