// bufferevent_get_openssl_error() takes the error that it returns (libevent 2.1, bufferevent_openssl.c).
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"

struct bufferevent;
extern void *SSL_CTX_new(const void *);
extern void *SSL_new(void *);
extern const void *TLS_method(void);
extern struct bufferevent *bufferevent_openssl_socket_new(struct event_base *, int, void *, int, int);
extern unsigned long bufferevent_get_openssl_error(struct bufferevent *);

static struct bufferevent *connection;
static unsigned long a, b;

HANDLER(on_a) {
  UNUSED;
  a = bufferevent_get_openssl_error(connection);
}

HANDLER(on_b) {
  UNUSED;
  b = bufferevent_get_openssl_error(connection);
}

int main(void) {
  base = event_base_new();
  connection = bufferevent_openssl_socket_new(base, -1, SSL_new(SSL_CTX_new(TLS_method())), 1, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
