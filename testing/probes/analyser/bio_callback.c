// CONFLICT always: on_a on_b: x
/* a callback on a BIO */
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int count, n;
static long my_cb(BIO* b, int o, const char* t, size_t l, int i, long g, int r, size_t* d) {
  (void)b;
  (void)o;
  (void)t;
  (void)l;
  (void)i;
  (void)g;
  (void)d;
  count++;
  count++;
  return r;
}
HANDLER(on_a) {
  UNUSED;
  BIO_write(arg, "x", 1);
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
  BIO* b = BIO_new(BIO_s_mem());
  BIO_set_callback_ex(b, my_cb);
  when_readable(3, on_a, b);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
