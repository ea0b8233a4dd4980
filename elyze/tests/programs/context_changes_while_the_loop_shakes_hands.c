// The loop carries on a handshake, which looks at the context of its connection.
// CONFLICT always: on_change on_change
// CONFLICT always: on_change on_event
// CONFLICT always: on_event on_event
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>

#include "server.h"

typedef struct ssl_ctx_st SSL_CTX;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern struct ssl_st *SSL_new(SSL_CTX *);
extern long SSL_CTX_set_timeout(SSL_CTX *, long);
extern int SSL_CTX_set_session_id_context(SSL_CTX *, const unsigned char *, unsigned);

static SSL_CTX *context;

static void on_event(struct bufferevent *bev, short what, void *arg) { (void)bev, (void)what, (void)arg; }

HANDLER(on_change) {
  UNUSED;
  SSL_CTX_set_timeout(context, 5);
  SSL_CTX_set_session_id_context(context, (const unsigned char *)"two", 3);
}

int main(void) {
  base = event_base_new();
  context = SSL_CTX_new(TLS_server_method());
  struct bufferevent *bev =
      bufferevent_openssl_socket_new(base, 7, SSL_new(context), BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_DEFER_CALLBACKS);
  bufferevent_setcb(bev, NULL, NULL, on_event, NULL);
  bufferevent_enable(bev, EV_READ);
  when_readable(3, on_change, NULL);
  return event_base_dispatch(base);
}
