// bufferevent_ssl_renegotiate() begins a handshake, which tells the program at once how it goes on.
// CONFLICT always: on_again on_again
// CONFLICT always: on_again on_show: states
// SAFE: on_show on_show
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
struct bufferevent;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern void SSL_CTX_set_info_callback(SSL_CTX *, void (*)(const SSL *, int, int));
extern struct bufferevent *bufferevent_openssl_socket_new(struct event_base *, int, SSL *, int, int);
extern int bufferevent_ssl_renegotiate(struct bufferevent *);

static int states;

static void count(const SSL *ssl, int where, int result) {
  (void)ssl, (void)where, (void)result;
  states++;
}

HANDLER(on_again) {
  UNUSED;
  bufferevent_ssl_renegotiate(arg);
}

HANDLER(on_show) {
  UNUSED;
  if (states == 1000) abort();
}

int main(void) {
  base = event_base_new();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_info_callback(context, count);
  struct bufferevent *carrier = bufferevent_openssl_socket_new(base, -1, SSL_new(context), 0, 0);
  when_readable(3, on_again, carrier);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
