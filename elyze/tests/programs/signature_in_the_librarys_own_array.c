// Without a place for it, the code is put into a static array (HMAC(3ssl)).
// CONFLICT always: on_a on_b: digests of OpenSSL
#include "server.h"
#include <openssl/hmac.h>
static unsigned char one[32], other[32];
HANDLER(on_a) {
  UNUSED;
  unsigned n;
  memcpy(one, HMAC(EVP_sha256(), "k", 1, (const unsigned char*)"a", 1, NULL, &n), 32);
}
HANDLER(on_b) {
  UNUSED;
  unsigned n;
  memcpy(other, HMAC(EVP_sha256(), "k", 1, (const unsigned char*)"b", 1, NULL, &n), 32);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
