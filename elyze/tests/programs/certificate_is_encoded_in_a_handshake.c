// A certificate whose name was changed is encoded by whoever sends it.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static long seen;
static SSL *tls;
static X509 *x;
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  SSL_do_handshake(tls);
}
int main(int argc, char **argv) {
  base = event_base_new();
  x = X509_new();
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC, (unsigned char *)"a", -1, -1, 0);
  ctx = SSL_CTX_new(TLS_method());
  SSL_CTX_use_certificate(ctx, x);
  ssl = SSL_new(ctx);
  tls = SSL_new(ctx);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
