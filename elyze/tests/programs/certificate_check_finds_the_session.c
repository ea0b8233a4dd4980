// The callback that checks a certificate finds the session by way of its connection (SSL_CTX_set_verify(3)).
// IMPRECISE: on_data on_data: session
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct x509_store_ctx_st X509_STORE_CTX;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern int SSL_do_handshake(SSL *);
extern void SSL_CTX_set_verify(SSL_CTX *, int, int (*)(int, X509_STORE_CTX *));
extern int SSL_get_ex_data_X509_STORE_CTX_idx(void);
extern void *X509_STORE_CTX_get_ex_data(const X509_STORE_CTX *, int);
extern int SSL_set_ex_data(SSL *, int, void *);
extern void *SSL_get_ex_data(const SSL *, int);

struct client {
  SSL *ssl;
  int checked;
};

static int check(int good, X509_STORE_CTX *store) {
  SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  struct client *client = SSL_get_ex_data(ssl, 0);
  client->checked++;
  return good;
}

HANDLER(on_data) {
  UNUSED;
  struct client *client = arg;
  SSL_do_handshake(client->ssl);
}

int main(void) {
  base = event_base_new();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_verify(context, 1, check);
  for (int fd = 3; fd < 5; ++fd) {
    struct client *client = calloc(1, sizeof *client);
    client->ssl = SSL_new(context);
    SSL_set_ex_data(client->ssl, 0, client);
    when_readable(fd, on_data, client);
  }
  return event_base_dispatch(base);
}
