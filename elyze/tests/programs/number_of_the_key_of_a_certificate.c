// A handshake looks at how strong the key of its certificate is.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static long seen;
static BIGNUM *n;
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
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
  X509 *x = X509_new();
  X509_set_pubkey(x, f);
  ctx = SSL_CTX_new(TLS_method());
  SSL_CTX_use_certificate(ctx, x);
  ssl = SSL_new(ctx);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
