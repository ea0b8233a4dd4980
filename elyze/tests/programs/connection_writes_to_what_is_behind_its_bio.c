// What is written to a connection goes through its chain of BIOs to the last one (BIO_push(3)).
// CONFLICT always: on_tls on_tls
// CONFLICT always: on_tls on_plain
// CONFLICT always: on_plain on_plain
#include "server.h"

typedef struct ssl_st SSL;
typedef struct bio_st BIO;
extern void *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(void *);
extern void SSL_set_bio(SSL *, BIO *, BIO *);
extern int SSL_write(SSL *, const void *, int);
extern BIO *BIO_new(const void *);
extern BIO *BIO_new_socket(int, int);
extern BIO *BIO_push(BIO *, BIO *);
extern int BIO_write(BIO *, const void *, int);

static SSL *ssl;
static BIO *last;

HANDLER(on_tls) {
  UNUSED;
  SSL_write(ssl, "x", 1);
}

HANDLER(on_plain) {
  UNUSED;
  BIO_write(last, "y", 1);
}

int main(void) {
  base = event_base_new();
  ssl = SSL_new(SSL_CTX_new(TLS_server_method()));
  last = BIO_new_socket(7, 0);
  BIO *first = BIO_push(BIO_new(NULL), last);
  SSL_set_bio(ssl, first, first);
  when_readable(3, on_tls, NULL);
  when_readable(4, on_plain, NULL);
  return event_base_dispatch(base);
}
