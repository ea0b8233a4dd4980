// The TLS connection of a filter writes to the bufferevent below.
// CONFLICT always: on_a on_a: *low, *ssl
// CONFLICT always: on_a on_b: *low
// CONFLICT always: on_b on_b: *low

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *ssl;
static struct bufferevent *bev, *low;
static int sock;
HANDLER(on_a) {
  UNUSED;
  SSL_write(ssl, "a", 1);
  SSL_shutdown(ssl);
}
HANDLER(on_b) {
  UNUSED;
  bufferevent_write(low, "x", 1);
  bufferevent_write(low, "y", 1);
}
int main(int argc, char **argv) {
  base = event_base_new();
  ctx = SSL_CTX_new(TLS_method());
  ssl = SSL_new(ctx);
  sock = socket(AF_INET, SOCK_STREAM, 0);
  low = bufferevent_socket_new(base, sock, 0);
  bev = bufferevent_openssl_filter_new(base, low, ssl, BUFFEREVENT_SSL_OPEN, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
