// SSL_set_tlsext_status_ocsp_resp(): the answer is the connection's from then on, which sends it in its
// handshake.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static long seen;
static unsigned char *r;
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  r[0] = 1;
  r[1] = 2;
}
int main(int argc, char **argv) {
  base = event_base_new();
  ctx = SSL_CTX_new(TLS_method());
  ssl = SSL_new(ctx);
  r = malloc(20);
  SSL_set_tlsext_status_ocsp_resp(ssl, r, 20);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
