// SSL_CTX_get_extra_chain_certs(3) hands out the certificates that were added.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static long seen;
static X509 *x;
static const unsigned char *t;
static X509 *k;
HANDLER(on_a) {
  UNUSED;
  seen = X509_get_version(k);
  seen += X509_get_version(k);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  d2i_X509(&x, &t, 100);
}
int main(int argc, char **argv) {
  base = event_base_new();
  x = X509_new();
  STACK_OF(X509) * s;
  ctx = SSL_CTX_new(TLS_method());
  SSL_CTX_add_extra_chain_cert(ctx, x);
  SSL_CTX_get_extra_chain_certs(ctx, &s);
  k = sk_X509_value(s, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
