// The block of a BIO in memory leads to its bytes.
// CONFLICT always: on_a on_a: *m
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: seen

#include <openssl/bio.h>
#include <openssl/buffer.h>

#include "server.h"
static long seen;
static BIO *m;
static BUF_MEM *p;
static char *d;
HANDLER(on_a) {
  UNUSED;
  BIO_reset(m);
  BIO_write(m, "b", 1);
}
HANDLER(on_b) {
  UNUSED;
  seen = d[0];
}
int main(int argc, char **argv) {
  base = event_base_new();
  m = BIO_new(BIO_s_mem());
  BIO_write(m, "xyz", 3);
  BIO_get_mem_ptr(m, &p);
  d = p->data;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
