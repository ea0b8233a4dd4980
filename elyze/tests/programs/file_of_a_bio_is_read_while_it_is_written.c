// CONFLICT always: on_a on_b: contents of site.pem
#include "server.h"
#include <openssl/pem.h>
static int renewed;
static X509* current;
HANDLER(on_a) {
  UNUSED;
  BIO* f = BIO_new_file("site.pem", "r");
  if (!f) return;
  current = PEM_read_bio_X509(f, NULL, NULL, NULL);
  BIO_free(f);
}
HANDLER(on_b) {
  UNUSED;
  pwrite(renewed, "-----BEGIN", 10, 0);
  pwrite(renewed, " CERTIFICATE", 12, 10);
}
int main(void) {
  base = event_base_new();
  renewed = open("site.pem", O_RDWR);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
