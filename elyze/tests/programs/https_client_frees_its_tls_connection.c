// A connection is freed with the bufferevent that the program has made for it, which works on its TLS connection once
// more; a timeout of the connection is one of that bufferevent.
// CONFLICT always: on_a on_a: ssl
// CONFLICT always: on_a on_b: ssl
// CONFLICT always: on_b on_b: ssl
// CONFLICT always: on_a on_c: tls
// CONFLICT always: on_c on_c: tls
// CONFLICT always: on_c on_d: tls
// CONFLICT always: on_d on_d: tls
// CONFLICT always: on_a on_d: tls
// SAFE: on_b on_c
// SAFE: on_b on_d

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/http.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL* ssl;
static struct bufferevent* tls;
static struct evhttp_connection *connection, *other;
HANDLER(on_a) {
  UNUSED;
  if (connection != NULL) evhttp_connection_free(connection);
  connection = NULL;
}
HANDLER(on_b) {
  UNUSED;
  SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN);
}
HANDLER(on_c) {
  UNUSED;
  evhttp_connection_set_timeout(other, 3);
}
HANDLER(on_d) {
  UNUSED;
  bufferevent_set_timeouts(tls, NULL, NULL);
}
int main(int argc, char** argv) {
  base = event_base_new();
  ssl = SSL_new(SSL_CTX_new(TLS_method()));
  tls = bufferevent_openssl_socket_new(base, -1, ssl, BUFFEREVENT_SSL_CONNECTING, 0);
  connection = other = evhttp_connection_base_bufferevent_new(base, NULL, tls, "127.0.0.1", 9);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  when_readable(6, on_d, NULL);
  return event_base_dispatch(base);
}
