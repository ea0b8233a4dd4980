// EVP_PKEY_keygen(3): a key that is there already is filled.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/evp.h>

#include "server.h"
static EVP_PKEY_CTX *c;
static EVP_PKEY *k, *same;
static long seen;
HANDLER(on_a) {
  UNUSED;
  EVP_PKEY_keygen(c, &k);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  seen = EVP_PKEY_get_bits(same);
  seen += EVP_PKEY_get_bits(same);
}
int main(int argc, char **argv) {
  base = event_base_new();
  c = EVP_PKEY_CTX_new_id(6, NULL);
  k = EVP_PKEY_new();
  same = k;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
