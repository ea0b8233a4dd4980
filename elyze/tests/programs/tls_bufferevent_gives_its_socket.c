// The TLS connection of a bufferevent works on its socket.
// CONFLICT always: on_a on_a: *ssl
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static struct bufferevent *bev;
static int sock;
HANDLER(on_a) {
  UNUSED;
  SSL_write(ssl, "a", 1);
  SSL_shutdown(ssl);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  send(fd, "x", 1, 0);
  send(fd, "y", 1, 0);
}
int main(void) {
  base = event_base_new();
  ctx = SSL_CTX_new(TLS_method());
  ssl = SSL_new(ctx);
  sock = socket(AF_INET, SOCK_STREAM, 0);
  bev = bufferevent_openssl_socket_new(base, sock, ssl, BUFFEREVENT_SSL_OPEN, 0);
  when_readable(3, on_a, NULL);
  when_readable(sock, on_b, NULL);
  return event_base_dispatch(base);
}
