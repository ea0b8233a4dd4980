// The callback that chooses a certificate gets its connection (SSL_CTX_set_cert_cb(3)).
// CONFLICT always: on_data on_data: stats.chosen
// CONFLICT always: on_data on_show: stats.chosen
// SAFE: on_show on_show
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct x509_store_ctx_st X509_STORE_CTX;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern int SSL_do_handshake(SSL *);
extern void SSL_CTX_set_cert_cb(SSL_CTX *, int (*)(SSL *, void *), void *);
extern int SSL_set_ex_data(SSL *, int, void *);
extern void *SSL_get_ex_data(const SSL *, int);

static struct stats {
  int chosen;
} stats;

static int choose(SSL *ssl, void *arg) {
  (void)arg;
  struct stats *counters = SSL_get_ex_data(ssl, 0);
  counters->chosen++;
  return 1;
}

HANDLER(on_data) {
  UNUSED;
  SSL_do_handshake(arg);
}

HANDLER(on_show) {
  UNUSED;
  if (stats.chosen == 1000) abort();
}

int main(void) {
  base = event_base_new();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_cert_cb(context, choose, NULL);
  for (int fd = 3; fd < 5; ++fd) {
    SSL *ssl = SSL_new(context);
    SSL_set_ex_data(ssl, 0, &stats);
    when_readable(fd, on_data, ssl);
  }
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
