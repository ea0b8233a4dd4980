// A client's request is sent over the bufferevent that the program has made for its connection: over the TLS connection
// of that, and over the bufferevent below.
// CONFLICT always: on_a on_a: ssl
// CONFLICT always: on_a on_b: ssl
// CONFLICT always: on_b on_b: ssl
// CONFLICT always: on_a on_c: low
// CONFLICT always: on_c on_c: low
// SAFE: on_b on_c
// CONFLICT always: answered answered: ssl
// CONFLICT always: answered on_a: ssl
// CONFLICT always: answered on_b: ssl
// CONFLICT always: answered on_c: low

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/http.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL* ssl;
static struct bufferevent *low, *tls;
static struct evhttp_connection* connection;
static void answered(struct evhttp_request* request, void* argument) { (void)request, (void)argument; }
HANDLER(on_a) {
  UNUSED;
  evhttp_make_request(connection, evhttp_request_new(answered, NULL), EVHTTP_REQ_GET, "/");
}
HANDLER(on_b) {
  UNUSED;
  SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN);
}
HANDLER(on_c) {
  UNUSED;
  bufferevent_disable(low, EV_READ);
}
int main(int argc, char** argv) {
  base = event_base_new();
  ssl = SSL_new(SSL_CTX_new(TLS_method()));
  low = bufferevent_socket_new(base, -1, 0);
  tls = bufferevent_openssl_filter_new(base, low, ssl, BUFFEREVENT_SSL_CONNECTING, 0);
  connection = evhttp_connection_base_bufferevent_new(base, NULL, tls, "127.0.0.1", 9);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}
