// SSL_CTX_set_tmp_dh(3): a handshake takes the parameters, whose numbers the program still knows.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/dh.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static long seen;
static BIGNUM *p;
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  BN_set_word(p, 5);
  BN_set_word(p, 7);
}
int main(int argc, char **argv) {
  base = event_base_new();
  DH *d = DH_new();
  p = BN_new();
  DH_set0_pqg(d, p, NULL, BN_new());
  ctx = SSL_CTX_new(TLS_method());
  SSL_CTX_set_tmp_dh(ctx, d);
  ssl = SSL_new(ctx);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
