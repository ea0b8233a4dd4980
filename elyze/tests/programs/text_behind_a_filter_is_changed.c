// BIO_read() of a filter reads the text that the memory BIO below refers to (BIO_new_mem_buf(3)).
// CONFLICT always: on_fill on_fill: text
// CONFLICT always: on_fill on_read: text
// CONFLICT always: on_read on_read: out
#include <openssl/bio.h>
#include <openssl/evp.h>

#include "server.h"

static char text[64];
static BIO* chain;
static char out[64];

HANDLER(on_fill) {
  UNUSED;
  memset(text, 'A', 32);
  memset(text, 'B', 32);
}

HANDLER(on_read) {
  UNUSED;
  BIO_read(chain, out, 8);
}

int main(void) {
  base = event_base_new();
  chain = BIO_push(BIO_new(BIO_f_base64()), BIO_new_mem_buf(text, 64));
  when_readable(3, on_fill, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
