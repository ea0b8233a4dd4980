// A TLS filter that is given a socket begins its handshake at once.
// CONFLICT always: on_a on_a: file of ends, *ssl
// CONFLICT always: on_a on_b: *ssl
// CONFLICT always: on_b on_b: pending

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL* ssl;
static struct bufferevent *low, *tls;
static int pending;
static int ends[2];
HANDLER(on_a) {
  UNUSED;
  bufferevent_setfd(tls, ends[0]);
}
HANDLER(on_b) {
  UNUSED;
  pending = SSL_pending(ssl);
}
int main(int argc, char** argv) {
  base = event_base_new();
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  ssl = SSL_new(SSL_CTX_new(TLS_method()));
  low = bufferevent_socket_new(base, -1, 0);
  tls = bufferevent_openssl_filter_new(base, low, ssl, BUFFEREVENT_SSL_CONNECTING, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
