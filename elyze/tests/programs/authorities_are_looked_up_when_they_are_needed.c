// A CApath is only looked up when it is needed (SSL_CTX_load_verify_locations(3)).
// CONFLICT always: on_a on_b: contents of 1a2b3c4d.0
#include "server.h"
#include <openssl/ssl.h>
static SSL* ssl;
static int ca;
HANDLER(on_a) {
  UNUSED;
  SSL_do_handshake(ssl);
}
HANDLER(on_b) {
  UNUSED;
  pwrite(ca, "-----BEGIN", 10, 0);
  pwrite(ca, " CERTIFICATE", 12, 10);
}
int main(void) {
  SSL_CTX* c = SSL_CTX_new(TLS_server_method());
  SSL_CTX_load_verify_locations(c, NULL, "ca");
  ssl = SSL_new(c);
  SSL_set_fd(ssl, 7);
  ca = open("ca/1a2b3c4d.0", O_RDWR);
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
