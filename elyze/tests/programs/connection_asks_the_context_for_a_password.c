// SSL_use_PrivateKey_file() calls the password callback of the connection's context.
// CONFLICT always: on_load on_load
// CONFLICT always: on_load on_take
// CONFLICT always: on_take on_take
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern void SSL_CTX_set_default_passwd_cb(SSL_CTX *, int (*)(char *, int, int, void *));
extern int SSL_use_PrivateKey_file(SSL *, const char *, int);

static int asked, taken;
static SSL *connection;

static int ask(char *password, int size, int writing, void *arg) {
  (void)password, (void)size, (void)writing, (void)arg;
  asked++;
  return 0;
}

HANDLER(on_load) {
  UNUSED;
  SSL_use_PrivateKey_file(connection, "key.pem", 1);
}

HANDLER(on_take) {
  UNUSED;
  taken += asked;
  asked = 0;
}

int main(void) {
  base = event_base_new();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_default_passwd_cb(context, ask);
  connection = SSL_new(context);
  when_readable(3, on_load, NULL);
  when_readable(4, on_take, NULL);
  return event_base_dispatch(base);
}
