// A connection of TLS waits for its descriptor from the call on that makes it, so it may call as soon as it knows whom.
// CONFLICT always: on_accept on_event: client->uses
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
struct bufferevent;
extern SSL_CTX* SSL_CTX_new(const void*);
extern const void* TLS_server_method(void);
extern SSL* SSL_new(SSL_CTX*);
extern struct bufferevent* bufferevent_openssl_socket_new(struct event_base*, int, SSL*, int, int);
extern void bufferevent_setcb(struct bufferevent*, void (*)(struct bufferevent*, void*),
                              void (*)(struct bufferevent*, void*), void (*)(struct bufferevent*, short, void*), void*);

struct client {
  int uses;
};
static SSL_CTX* context;

static void on_event(struct bufferevent* connection, short what, void* arg) {
  (void)connection, (void)what;
  struct client* client = arg;
  client->uses++;
}
HANDLER(on_accept) {
  (void)what, (void)arg;
  struct client* client = calloc(1, sizeof *client);
  struct bufferevent* connection = bufferevent_openssl_socket_new(base, accept(fd, 0, 0), SSL_new(context), 2, 1);
  bufferevent_setcb(connection, NULL, NULL, on_event, client);
  client->uses++;
}
int main(void) {
  base = event_base_new();
  context = SSL_CTX_new(TLS_server_method());
  when_readable(3, on_accept, NULL);
  return event_base_dispatch(base);
}
