// Without a place for it, the digest is put into a static array (SHA256(3ssl)).
// CONFLICT always: on_a on_b: digests of OpenSSL
// CONFLICT always: on_a on_a: digests of OpenSSL
#include "server.h"
#include <openssl/sha.h>
struct client {
  unsigned char digest[32];
};
HANDLER(on_a) {
  (void)what;
  struct client* c = arg;
  memcpy(c->digest, SHA256((const unsigned char*)&fd, sizeof fd, NULL), 32);
}
static unsigned char last[32];
HANDLER(on_b) {
  UNUSED;
  memcpy(last, SHA256((const unsigned char*)"b", 1, NULL), 32);
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, calloc(1, sizeof(struct client)));
  when_readable(4, on_a, calloc(1, sizeof(struct client)));
  when_readable(5, on_b, NULL);
  event_base_dispatch(base);
}
