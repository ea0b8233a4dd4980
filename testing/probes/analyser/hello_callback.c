// CONFLICT always: on_a on_b: x
/* called with the first message */
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int count, n;
static int on_hello(SSL* s, int* a, void* g) {
  (void)s;
  (void)a;
  (void)g;
  count++;
  count++;
  return 1;
}
HANDLER(on_a) {
  UNUSED;
  SSL_accept(arg);
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
  SSL_CTX* c = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_client_hello_cb(c, on_hello, NULL);
  SSL* s = SSL_new(c);
  when_readable(3, on_a, s);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
