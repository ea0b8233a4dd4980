// The bytes of a number of a certificate are the certificate's.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/x509.h>

#include "server.h"
static X509 *x;
static const unsigned char *d;
static long seen;
HANDLER(on_a) {
  UNUSED;
  seen = d[0];
  seen += d[1];
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  X509_set_serialNumber(x, NULL);
  X509_set_serialNumber(x, NULL);
}
int main(int argc, char **argv) {
  base = event_base_new();
  x = X509_new();
  d = X509_get_serialNumber(x)->data;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
