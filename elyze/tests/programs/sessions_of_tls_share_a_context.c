// Connections only read the context that they were made with, and the certificates and keys that hang on it.
// Sessions of TLS stay apart.
// CONFLICT session: on_read on_read: session
// SAFE: on_accept on_accept
// SAFE: on_accept on_read
#include <event2/listener.h>
#include <netinet/in.h>

#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct x509_st X509;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern int SSL_CTX_use_certificate_chain_file(SSL_CTX *, const char *);
extern int SSL_CTX_use_PrivateKey_file(SSL_CTX *, const char *, int);
extern SSL *SSL_new(SSL_CTX *);
extern int SSL_set_fd(SSL *, int);
extern int SSL_accept(SSL *);
extern int SSL_read(SSL *, void *, int);
extern int SSL_write(SSL *, const void *, int);

static SSL_CTX *context;
struct session { SSL *tls; int fd; int opened; char bytes[100]; struct event *event; };

HANDLER(on_read) {
  (void)fd, (void)what;
  struct session *session = arg;
  if (!session->opened) session->opened = SSL_accept(session->tls) == 1;
  const int length = SSL_read(session->tls, session->bytes, sizeof session->bytes);
  if (length > 0) SSL_write(session->tls, session->bytes, length);
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address, int length,
                      void *arg) {
  (void)listener, (void)address, (void)length, (void)arg;
  struct session *session = calloc(1, sizeof *session);
  session->fd = fd;
  session->tls = SSL_new(context);
  SSL_set_fd(session->tls, session->fd);
  session->event = event_new(base, fd, EV_READ | EV_PERSIST, on_read, session);
  event_add(session->event, NULL);
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  base = event_base_new();
  context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_use_certificate_chain_file(context, "cert.pem");
  SSL_CTX_use_PrivateKey_file(context, "key.pem", 1);
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, -1, (struct sockaddr *)&address,
                          sizeof address);
  return event_base_dispatch(base);
}
