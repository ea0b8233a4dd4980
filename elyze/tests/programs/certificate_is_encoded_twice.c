// A certificate whose name was changed is encoded by whoever writes it out.
// CONFLICT always: on_a on_a: *x, seen
// CONFLICT always: on_a on_b: *x
// CONFLICT always: on_b on_b: *x

#include <openssl/x509.h>

#include "server.h"
static X509 *x;
static long seen;
HANDLER(on_a) {
  UNUSED;
  seen = i2d_X509(x, NULL);
}
HANDLER(on_b) {
  UNUSED;
  i2d_X509(x, NULL);
}
int main(int argc, char **argv) {
  base = event_base_new();
  x = X509_new();
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC, (unsigned char *)"a", -1, -1, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
