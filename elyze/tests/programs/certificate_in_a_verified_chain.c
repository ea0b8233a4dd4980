// X509_verify_cert(3): the chain ends with a certificate of the store.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/x509.h>

#include "server.h"
static X509 *x;
static const unsigned char *t;
static X509 *k;
static long seen;
HANDLER(on_a) {
  UNUSED;
  seen = X509_get_version(k);
  seen += X509_get_version(k);
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  d2i_X509(&x, &t, 100);
}
int main(int argc, char **argv) {
  base = event_base_new();
  X509_STORE_CTX *c = X509_STORE_CTX_new();
  X509_STORE *s = X509_STORE_new();
  x = X509_new();
  X509_STORE_add_cert(s, x);
  X509_STORE_CTX_init(c, s, X509_new(), NULL);
  X509_verify_cert(c);
  k = sk_X509_value(X509_STORE_CTX_get0_chain(c), 1);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
