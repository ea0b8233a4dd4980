// What SSL_ctrl() hands out by number is a part of the connection (SSL_get_tlsext_status_ocsp_resp).
// CONFLICT always: on_clear on_clear
// CONFLICT always: on_clear on_show
// SAFE: on_show on_show
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct x509_store_ctx_st X509_STORE_CTX;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern int SSL_do_handshake(SSL *);
extern int SSL_clear(SSL *);
extern long SSL_ctrl(SSL *, int, long, void *);

static SSL *ssl;
static const unsigned char *answer;

HANDLER(on_clear) {
  UNUSED;
  SSL_clear(ssl);
}

HANDLER(on_show) {
  UNUSED;
  if (answer[0] == 'x') abort();
}

int main(void) {
  base = event_base_new();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  ssl = SSL_new(context);
  SSL_do_handshake(ssl);
  SSL_ctrl(ssl, 70, 0, &answer);
  when_readable(3, on_clear, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
