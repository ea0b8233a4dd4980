// A TLS filter writes by its connection as soon as its output is filled.
// CONFLICT always: on_a on_a: *o, *ssl
// CONFLICT always: on_a on_b: *ssl
// CONFLICT always: on_b on_b: *ssl, seen

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/tag.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL *ssl;
static struct bufferevent *v;
static struct evbuffer *o;
static long seen;
HANDLER(on_a) {
  UNUSED;
  evtag_marshal_int(o, 1, 2);
  evtag_marshal_int(o, 1, 3);
}
HANDLER(on_b) {
  UNUSED;
  seen = SSL_pending(ssl);
  SSL_set_shutdown(ssl, 1);
}
int main(int argc, char **argv) {
  base = event_base_new();
  ssl = SSL_new(SSL_CTX_new(TLS_method()));
  v = bufferevent_openssl_filter_new(base, bufferevent_socket_new(base, 5, 0), ssl, BUFFEREVENT_SSL_OPEN, 0);
  o = bufferevent_get_output(v);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
