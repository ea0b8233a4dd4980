// A check finds certificates in the store of the context.
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
static int check(int ok, X509_STORE_CTX *c) {
  k = X509_OBJECT_get0_X509(X509_STORE_CTX_get_obj_by_subject(c, 1, NULL));
  return ok;
}
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
  ctx = SSL_CTX_new(TLS_method());
  X509_STORE_add_cert(SSL_CTX_get_cert_store(ctx), x);
  SSL_CTX_set_verify(ctx, 1, check);
  ssl = SSL_new(ctx);
  SSL_do_handshake(ssl);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
