// SSL_free(3): a session that was not shut down is removed from the cache.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static long seen;
static SSL *a, *b;
HANDLER(on_a) {
  UNUSED;
  SSL_free(a);
  SSL_free(b);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  SSL_do_handshake(ssl);
  seen = SSL_session_reused(ssl);
  SSL_clear(ssl);
  SSL_do_handshake(ssl);
  seen += SSL_session_reused(ssl);
}
int main(int argc, char **argv) {
  base = event_base_new();
  ctx = SSL_CTX_new(TLS_method());
  ssl = SSL_new(ctx);
  a = SSL_new(ctx);
  b = SSL_new(ctx);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
