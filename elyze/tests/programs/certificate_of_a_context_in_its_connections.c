// A connection uses, and hands out, the certificate of its context (SSL_get_certificate(3)).
// CONFLICT always: on_one on_one
// CONFLICT always: on_one on_other
// CONFLICT always: on_other on_other
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct x509_st X509;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern X509 *X509_new(void);
extern int X509_set_version(X509 *, long);
extern int SSL_CTX_use_certificate(SSL_CTX *, X509 *);
extern X509 *SSL_get_certificate(const SSL *);

static X509 *one;

HANDLER(on_one) {
  UNUSED;
  X509_set_version(one, 1);
}

HANDLER(on_other) {
  UNUSED;
  X509_set_version(SSL_get_certificate(arg), 2);
}

int main(void) {
  base = event_base_new();
  one = X509_new();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_use_certificate(context, one);
  when_readable(3, on_one, NULL);
  for (int fd = 4; fd < 6; ++fd) when_readable(fd, on_other, SSL_new(context));
  return event_base_dispatch(base);
}
