// SSL_set1_chain_cert_store(3): a handshake builds its chain from that store.
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
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  d2i_X509(&x, &t, 100);
}
int main(int argc, char **argv) {
  base = event_base_new();
  x = X509_new();
  X509_STORE *s = X509_STORE_new();
  X509_STORE_add_cert(s, x);
  ctx = SSL_CTX_new(TLS_method());
  ssl = SSL_new(ctx);
  SSL_set1_chain_cert_store(ssl, s);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
