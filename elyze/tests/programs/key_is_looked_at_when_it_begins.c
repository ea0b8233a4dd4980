// EVP_PKEY_sign_init(3) hands the key to the provider.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "server.h"
static EVP_PKEY_CTX *c;
static BIGNUM *n;
HANDLER(on_a) {
  UNUSED;
  EVP_PKEY_sign_init(c);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  BN_set_word(n, 5);
  BN_set_word(n, 7);
}
int main(int argc, char **argv) {
  base = event_base_new();
  RSA *r = RSA_new();
  n = BN_new();
  RSA_set0_key(r, n, BN_new(), NULL);
  EVP_PKEY *f = EVP_PKEY_new();
  EVP_PKEY_assign_RSA(f, r);
  c = EVP_PKEY_CTX_new(f, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
