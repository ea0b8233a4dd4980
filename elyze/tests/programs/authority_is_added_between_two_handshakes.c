// A handshake looks for authorities in the store of its context.
// CONFLICT always: on_add on_add
// CONFLICT always: on_add on_connect
// CONFLICT always: on_connect on_connect
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct x509_st X509;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_client_method(void);
extern void *SSL_CTX_get_cert_store(const SSL_CTX *);
extern SSL *SSL_new(SSL_CTX *);
extern int SSL_connect(SSL *);
extern X509 *X509_new(void);
extern int X509_STORE_add_cert(void *, X509 *);

static SSL_CTX *context;
static X509 *root;
static SSL *one, *two;

HANDLER(on_add) {
  UNUSED;
  X509_STORE_add_cert(SSL_CTX_get_cert_store(context), root);
}

HANDLER(on_connect) {
  UNUSED;
  if (SSL_connect(one) != SSL_connect(two)) abort();
}

int main(void) {
  base = event_base_new();
  context = SSL_CTX_new(TLS_client_method());
  root = X509_new();
  one = SSL_new(context);
  two = SSL_new(context);
  when_readable(3, on_add, NULL);
  when_readable(4, on_connect, NULL);
  return event_base_dispatch(base);
}
