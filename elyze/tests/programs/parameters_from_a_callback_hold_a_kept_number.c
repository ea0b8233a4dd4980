// The parameters that a callback returns are read by the handshake, with the numbers in them.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: *p
// CONFLICT always: on_b on_b: *p

#include <openssl/dh.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static DH *dh;
static BIGNUM *p;
static DH *params(SSL *s, int e, int n) { return dh; }
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
}
HANDLER(on_b) {
  UNUSED;
  BN_set_word(p, 1);
  BN_set_word(p, 2);
}
int main(int argc, char **argv) {
  base = event_base_new();
  ctx = SSL_CTX_new(TLS_method());
  dh = DH_new();
  p = BN_new();
  DH_set0_pqg(dh, p, NULL, BN_new());
  SSL_CTX_set_tmp_dh_callback(ctx, params);
  ssl = SSL_new(ctx);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
