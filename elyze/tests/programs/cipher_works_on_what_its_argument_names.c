// EVP_CIPHER_CTX_ctrl() with EVP_CTRL_TLS1_1_MULTIBLOCK_ENCRYPT: the structure names the bytes that are encrypted.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <openssl/evp.h>

#include "server.h"
static EVP_CIPHER_CTX *c;
static unsigned char out[4096], in[4096];
static EVP_CTRL_TLS1_1_MULTIBLOCK_PARAM p;
static long seen;
HANDLER(on_a) {
  UNUSED;
  EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_TLS1_1_MULTIBLOCK_ENCRYPT, sizeof p, &p);
}
HANDLER(on_b) {
  UNUSED;
  seen = out[0];
  seen += out[1];
}
int main(int argc, char **argv) {
  base = event_base_new();
  c = EVP_CIPHER_CTX_new();
  p.out = out;
  p.inp = in;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
