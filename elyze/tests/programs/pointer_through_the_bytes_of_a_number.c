// The bytes of an address go into a number, and are read where the number keeps them.
#include <openssl/bn.h>
#include <openssl/asn1.h>

#include "server.h"

struct record {
  char name[8];
  long count;
};
struct kept {
  ASN1_INTEGER *number;
};
static void hide(struct kept *k, void *p) { BIGNUM *one = BN_bin2bn((unsigned char *)&p, sizeof p, NULL); k->number = BN_to_ASN1_INTEGER(one, NULL); }
static void *seek(struct kept *k) { void *p; memcpy(&p, ASN1_STRING_get0_data(k->number), sizeof p); return p; }
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
