// CONFLICT always: on_a on_b: x
/* called with a new ticket */
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int count, n;
static char t[9];
static int on_new(SSL* s, SSL_SESSION* e) {
  (void)s;
  (void)e;
  count++;
  count++;
  return 0;
}
HANDLER(on_a) {
  UNUSED;
  SSL_read(arg, t, sizeof t);
}
HANDLER(on_b) {
  UNUSED;
  int k = count;
  n = k + count;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  SSL_CTX* c = SSL_CTX_new(TLS_client_method());
  SSL_CTX_sess_set_new_cb(c, on_new);
  SSL* s = SSL_new(c);
  when_readable(3, on_a, s);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
