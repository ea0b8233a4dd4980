// A handshake has the key of its connection sign, by the functions of the key's method (RSA_set_method(3)).
// CONFLICT always: on_accept on_accept
// CONFLICT always: on_accept on_take
// CONFLICT always: on_take on_take
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct rsa_st RSA;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern int SSL_CTX_use_PrivateKey_file(SSL_CTX *, const char *, int);
extern SSL *SSL_new(SSL_CTX *);
extern int SSL_accept(SSL *);
extern void *RSA_meth_new(const char *, int);
extern int RSA_meth_set_priv_enc(void *, int (*)(int, const unsigned char *, unsigned char *, RSA *, int));

static int asked, taken;
static SSL *connection;

static int sign(int length, const unsigned char *from, unsigned char *to, RSA *key, int padding) {
  (void)length, (void)from, (void)to, (void)key, (void)padding;
  asked++;
  return -1;
}

HANDLER(on_accept) {
  UNUSED;
  SSL_accept(connection);
}

HANDLER(on_take) {
  UNUSED;
  taken += asked;
  asked = 0;
}

int main(void) {
  base = event_base_new();
  RSA_meth_set_priv_enc(RSA_meth_new("counts", 0), sign);
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_use_PrivateKey_file(context, "key.pem", 1);
  connection = SSL_new(context);
  when_readable(3, on_accept, NULL);
  when_readable(4, on_take, NULL);
  return event_base_dispatch(base);
}
