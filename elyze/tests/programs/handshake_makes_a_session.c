// CRYPTO_get_ex_new_index(3): the function is called for each session, which a handshake makes.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static long seen;
static long count;
static void made(void *p, void *q, CRYPTO_EX_DATA *d, int i, long l, void *a) { count++; }
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  count++;
  count++;
}
int main(int argc, char **argv) {
  base = event_base_new();
  CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_SESSION, 0, NULL, made, NULL, NULL);
  ctx = SSL_CTX_new(TLS_method());
  ssl = SSL_new(ctx);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
