// A TLS connection has a BIO for the socket that it is given.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static int sock;
HANDLER(on_a) {
  UNUSED;
  BIO_write(SSL_get_wbio(ssl), "a", 1);
  BIO_write(SSL_get_wbio(ssl), "b", 1);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  send(sock, "x", 1, 0);
  send(sock, "y", 1, 0);
}
int main(int argc, char **argv) {
  base = event_base_new();
  ctx = SSL_CTX_new(TLS_method());
  ssl = SSL_new(ctx);
  sock = socket(AF_INET, SOCK_STREAM, 0);
  SSL_set_fd(ssl, sock);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
