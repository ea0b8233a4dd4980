// SSL_get0_chain_certs(3): a connection has the chain of its context.
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
  SSL_CTX_add1_chain_cert(ctx, x);
  ssl = SSL_new(ctx);
  SSL_get0_chain_certs(ssl, &s);
  k = sk_X509_value(s, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
