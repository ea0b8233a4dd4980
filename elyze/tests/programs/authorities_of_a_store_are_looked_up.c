// SSL_CTX_load_verify_store(): the authorities are read when a handshake needs them.
// CONFLICT always: on_shake on_shake: *ssl
// CONFLICT always: on_shake on_renew: contents of ca.pem
// CONFLICT always: on_renew on_renew: contents of ca.pem
#include <openssl/ssl.h>

#include "server.h"

static SSL* ssl;

HANDLER(on_shake) {
  UNUSED;
  SSL_do_handshake(ssl);
}

HANDLER(on_renew) {
  UNUSED;
  int f = open("/tmp/ca.pem", O_WRONLY);
  write(f, "a", 1);
  write(f, "b", 1);
  close(f);
}

int main(void) {
  base = event_base_new();
  SSL_CTX* c = SSL_CTX_new(TLS_client_method());
  SSL_CTX_load_verify_store(c, "file:/tmp/ca.pem");
  ssl = SSL_new(c);
  when_readable(3, on_shake, NULL);
  when_readable(4, on_renew, NULL);
  return event_base_dispatch(base);
}
