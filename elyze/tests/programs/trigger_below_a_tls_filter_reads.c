// Who has the callbacks of a bufferevent called calls the TLS filter above it, whose connection reads.
// CONFLICT always: on_a on_a: *ssl, *filter
// CONFLICT always: on_a on_b: *ssl
// CONFLICT always: on_b on_b: pending

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/ssl.h>

#include "server.h"
static struct bufferevent *low, *filter;
static SSL* ssl;
static int pending;
HANDLER(on_a) {
  UNUSED;
  bufferevent_trigger(low, EV_READ, BEV_TRIG_IGNORE_WATERMARKS);
}
HANDLER(on_b) {
  UNUSED;
  pending = SSL_pending(ssl);
}
int main(int argc, char** argv) {
  base = event_base_new();
  low = bufferevent_socket_new(base, -1, 0);
  ssl = SSL_new(SSL_CTX_new(TLS_method()));
  filter = bufferevent_openssl_filter_new(base, low, ssl, BUFFEREVENT_SSL_OPEN, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
