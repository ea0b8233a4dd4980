// CONFLICT always: on_a on_b: x
/* asked for the key */
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int count, n;
static unsigned on_psk(SSL* s, const char* h, char* i, unsigned m, unsigned char* k, unsigned l) {
  (void)s;
  (void)h;
  (void)i;
  (void)m;
  (void)k;
  (void)l;
  count++;
  count++;
  return 0;
}
HANDLER(on_a) {
  UNUSED;
  SSL_connect(arg);
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
  SSL_CTX_set_psk_client_callback(c, on_psk);
  SSL* s = SSL_new(c);
  when_readable(3, on_a, s);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
