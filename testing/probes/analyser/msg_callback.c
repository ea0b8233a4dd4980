// CONFLICT always: on_a on_b: x
/* called for each message */
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int count, n;
static char t[9];
static void on_msg(int w, int v, int c, const void* b, size_t l, SSL* s, void* a) {
  (void)w;
  (void)v;
  (void)c;
  (void)b;
  (void)l;
  (void)s;
  (void)a;
  count++;
  count++;
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
  SSL_CTX_set_msg_callback(c, on_msg);
  SSL* s = SSL_new(c);
  when_readable(3, on_a, s);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
