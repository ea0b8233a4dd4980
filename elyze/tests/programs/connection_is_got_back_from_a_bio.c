// BIO_get_ssl() hands out the connection that BIO_set_ssl() was given; in the handler of another session, too.
// CONFLICT always: on_one on_one
// CONFLICT always: on_one on_other
// CONFLICT always: on_other on_other
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct bio_st BIO;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_client_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern void SSL_set_verify_depth(SSL *, int);
extern BIO *BIO_new(const void *);
extern long BIO_ctrl(BIO *, int, long, void *);

static SSL *ssl;
static BIO *bio;

HANDLER(on_one) {
  UNUSED;
  SSL_set_verify_depth(ssl, 1);
}

HANDLER(on_other) {
  UNUSED;
  SSL *mine;
  BIO_ctrl(bio, 110, 0, &mine);
  SSL_set_verify_depth(mine, 2);
}

int main(void) {
  base = event_base_new();
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  bio = BIO_new(NULL);
  ssl = SSL_new(context);
  BIO_ctrl(bio, 109, 0, ssl);
  when_readable(3, on_one, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
