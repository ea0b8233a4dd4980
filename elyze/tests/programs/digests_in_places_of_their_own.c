// A digest is put where the program says: into a local array, or the session's.
// SAFE: on_a on_a
// SAFE: on_a on_b
// CONFLICT session: on_b on_b: client->digest
#include "server.h"
#include <openssl/hmac.h>
#include <openssl/sha.h>
struct client {
  int fd;
  unsigned char text[64];
  unsigned char digest[SHA256_DIGEST_LENGTH];
};
static void digest(const void* text, size_t length, unsigned char* to) { SHA256(text, length, to); }
HANDLER(on_a) {
  UNUSED;
  unsigned char here[SHA256_DIGEST_LENGTH];
  unsigned char code[SHA256_DIGEST_LENGTH];
  unsigned length;
  SHA256((const unsigned char*)"a", 1, here);
  HMAC(EVP_sha256(), "key", 3, here, sizeof here, code, &length);
  digest(code, length, here);
}
HANDLER(on_b) {
  UNUSED;
  struct client* c = arg;
  digest(c->text, sizeof c->text, c->digest);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; ++i) {
    struct client* c = calloc(1, sizeof *c);
    when_readable(2 * i, on_a, NULL);
    when_readable(2 * i + 1, on_b, c);
  }
  event_base_dispatch(base);
}
