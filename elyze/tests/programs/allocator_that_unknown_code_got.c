// CONFLICT always: on_a on_a: count
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_b on_b: n
// OpenSSL takes memory from what CRYPTO_set_mem_functions() was given, which has no spec.
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int count, n;
static SSL_CTX* ctx;
static void* my_m(size_t z, const char* f, int l) {
  (void)f;
  (void)l;
  count++;
  count++;
  return malloc(z);
}
static void* my_r(void* o, size_t z, const char* f, int l) {
  (void)f;
  (void)l;
  return realloc(o, z);
}
static void my_f(void* o, const char* f, int l) {
  (void)f;
  (void)l;
  free(o);
}
HANDLER(on_a) {
  UNUSED;
  SSL_free(SSL_new(ctx));
}
HANDLER(on_b) {
  UNUSED;
  int k = count;
  n = k + count;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  CRYPTO_set_mem_functions(my_m, my_r, my_f);
  ctx = SSL_CTX_new(TLS_method());
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
