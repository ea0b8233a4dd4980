// CONFLICT always: on_a on_a: count
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_b on_b: n
// The handshake calls what SSL_CTX_set_keylog_callback() was given, which has no spec.
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int count, n;
static void on_key(const SSL* s, const char* l) {
  (void)s;
  (void)l;
  count++;
  count++;
}
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(arg);
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
  SSL_CTX_set_keylog_callback(c, on_key);
  SSL* s = SSL_new(c);
  when_readable(3, on_a, s);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
