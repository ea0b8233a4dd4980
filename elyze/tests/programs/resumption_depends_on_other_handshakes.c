// A handshake finds, keeps and throws away sessions in the cache of its context.
// Whoever asks whether a session was resumed sees what others did.
// CONFLICT always: on_ask on_ask
// CONFLICT always: on_ask on_accept
// CONFLICT always: on_accept on_accept
#include "server.h"

typedef struct ssl_st SSL;
extern void *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(void *);
extern int SSL_accept(SSL *);
extern int SSL_session_reused(const SSL *);

static SSL *one, *two, *three;

HANDLER(on_ask) {
  UNUSED;
  SSL_accept(one);
  SSL_accept(two);
  if (SSL_session_reused(one) != SSL_session_reused(two)) abort();
}

HANDLER(on_accept) {
  UNUSED;
  SSL_accept(three);
}

int main(void) {
  base = event_base_new();
  void *context = SSL_CTX_new(TLS_server_method());
  one = SSL_new(context);
  two = SSL_new(context);
  three = SSL_new(context);
  when_readable(3, on_ask, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
