// What a callback chooses is read by the handshake.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: proto
// CONFLICT always: on_b on_b: proto

#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static unsigned char proto[8] = "h2";
static int choose(SSL *s, const unsigned char **out, unsigned char *n, const unsigned char *in, unsigned l, void *arg) {
  *out = proto;
  *n = 2;
  return SSL_TLSEXT_ERR_OK;
}
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
}
HANDLER(on_b) {
  UNUSED;
  proto[0] = 'x';
  proto[1] = 'y';
}
int main(int argc, char **argv) {
  base = event_base_new();
  ctx = SSL_CTX_new(TLS_method());
  SSL_CTX_set_alpn_select_cb(ctx, choose, NULL);
  ssl = SSL_new(ctx);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
