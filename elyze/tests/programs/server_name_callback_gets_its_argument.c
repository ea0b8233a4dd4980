// The argument of the callback for a server's name is set by number (SSL_CTX_set_tlsext_servername_arg).
// CONFLICT always: on_data on_data: stats.named
// CONFLICT always: on_data on_show: stats.named
// SAFE: on_show on_show
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct x509_store_ctx_st X509_STORE_CTX;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern int SSL_do_handshake(SSL *);
extern long SSL_CTX_ctrl(SSL_CTX *, int, long, void *);
extern long SSL_CTX_callback_ctrl(SSL_CTX *, int, void (*)(void));

static struct stats {
  int named;
} stats;

static int name(SSL *ssl, int *alert, void *arg) {
  (void)ssl, (void)alert;
  struct stats *counters = arg;
  counters->named++;
  return 0;
}

HANDLER(on_data) {
  UNUSED;
  SSL_do_handshake(arg);
}

HANDLER(on_show) {
  UNUSED;
  if (stats.named == 1000) abort();
}

int main(void) {
  base = event_base_new();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_callback_ctrl(context, 53, (void (*)(void))name);
  SSL_CTX_ctrl(context, 54, 0, &stats);
  for (int fd = 3; fd < 5; ++fd) when_readable(fd, on_data, SSL_new(context));
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
