// EVP_PKEY_keygen(3) takes the parameters from the key of the context.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/dh.h>
#include <openssl/evp.h>

#include "server.h"
static EVP_PKEY_CTX *c;
static EVP_PKEY *k;
static BIGNUM *p;
HANDLER(on_a) {
  UNUSED;
  EVP_PKEY_keygen(c, &k);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  BN_set_word(p, 5);
  BN_set_word(p, 7);
}
int main(int argc, char **argv) {
  base = event_base_new();
  DH *d = DH_new();
  p = BN_new();
  DH_set0_pqg(d, p, NULL, BN_new());
  EVP_PKEY *f = EVP_PKEY_new();
  EVP_PKEY_assign_DH(f, d);
  c = EVP_PKEY_CTX_new(f, NULL);
  EVP_PKEY_keygen_init(c);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
