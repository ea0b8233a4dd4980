// SSL_free() calls the function that was named for what is attached to connections (CRYPTO_get_ex_new_index(3)).
// CONFLICT always: on_end on_end: stats.ended
// CONFLICT always: on_end on_show: stats.ended
// SAFE: on_show on_show
#include "server.h"

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct x509_store_ctx_st X509_STORE_CTX;
extern SSL_CTX *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);
extern SSL *SSL_new(SSL_CTX *);
extern int SSL_do_handshake(SSL *);
extern void SSL_free(SSL *);
extern int CRYPTO_get_ex_new_index(int, long, void *, void *, void *, void (*)(void *, void *, void *, int, long, void *));
extern int SSL_set_ex_data(SSL *, int, void *);

static struct stats {
  int ended;
} stats;

static void end(void *parent, void *attached, void *all, int index, long number, void *arg) {
  (void)parent, (void)all, (void)index, (void)number, (void)arg;
  struct stats *counters = attached;
  counters->ended++;
}

HANDLER(on_end) {
  UNUSED;
  SSL_free(arg);
}

HANDLER(on_show) {
  UNUSED;
  if (stats.ended == 1000) abort();
}

int main(void) {
  base = event_base_new();
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  int index = CRYPTO_get_ex_new_index(0, 0, NULL, NULL, NULL, end);
  for (int fd = 3; fd < 5; ++fd) {
    SSL *ssl = SSL_new(context);
    SSL_set_ex_data(ssl, index, &stats);
    when_readable(fd, on_end, ssl);
  }
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
