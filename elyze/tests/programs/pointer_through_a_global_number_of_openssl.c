// The address of a variable is kept in a number of OpenSSL's.
// CONFLICT always: on_write on_write: record
// CONFLICT always: on_write on_read: record
// SAFE: on_read on_read
#include <openssl/bn.h>

#include "server.h"

static struct {
  char name[8];
  long count;
} *record;
static BIGNUM *number;
HANDLER(on_write) {
  UNUSED;
  long *found = NULL;
  BN_bn2bin(number, (unsigned char *)&found);
  ++*found;
}
HANDLER(on_read) {
  UNUSED;
  if (record->count < 0) abort();
}

int main(void) {
  base = event_base_new();
  record = calloc(1, sizeof *record);
  long *at = &record->count;
  number = BN_bin2bn((unsigned char *)&at, sizeof at, NULL);
  when_readable(3, on_write, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
