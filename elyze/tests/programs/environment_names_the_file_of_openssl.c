// The first use of OpenSSL reads the file that OPENSSL_CONF names (openssl-env(7)), even for a moment.
// CONFLICT always: on_name on_name
// CONFLICT always: on_name on_begin
// CONFLICT always: on_begin on_begin
#include "server.h"

extern void *SSL_CTX_new(const void *);
extern const void *TLS_server_method(void);

static void *context;

HANDLER(on_name) {
  UNUSED;
  setenv("OPENSSL_CONF", "/srv/x", 1);
  unsetenv("OPENSSL_CONF");
}

HANDLER(on_begin) {
  UNUSED;
  context = SSL_CTX_new(TLS_server_method());
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_name, NULL);
  when_readable(4, on_begin, NULL);
  return event_base_dispatch(base);
}
