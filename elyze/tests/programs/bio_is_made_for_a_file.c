// CRYPTO_get_ex_new_index(3): the function is called for each BIO, whatever makes it.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/bio.h>

#include "server.h"
static long count;
static void made(void *p, void *q, CRYPTO_EX_DATA *d, int i, long l, void *a) { count++; }
static BIO *b;
HANDLER(on_a) {
  UNUSED;
  b = BIO_new_file("f", "r");
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  count++;
  count++;
}
int main(int argc, char **argv) {
  base = event_base_new();
  CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_BIO, 0, NULL, made, NULL, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
