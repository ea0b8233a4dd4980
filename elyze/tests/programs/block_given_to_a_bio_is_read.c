// BIO_set_mem_buf(3): the bytes of the block are the memory of the BIO.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/bio.h>
#include <openssl/buffer.h>

#include "server.h"
static BUF_MEM m;
static char text[100];
static BIO *b;
static long seen;
HANDLER(on_a) {
  UNUSED;
  BIO_write(b, "a", 1);
  BIO_write(b, "b", 1);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  seen = text[0];
  seen += text[1];
}
int main(int argc, char **argv) {
  base = event_base_new();
  m.data = text;
  m.max = 100;
  b = BIO_new(BIO_s_mem());
  BIO_set_mem_buf(b, &m, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
