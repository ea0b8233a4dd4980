// CONFLICT always: on_a on_a: count
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_b on_b: n
// A library calls the functions of a kind of BIO that the program made by functions without a spec.
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int count, n;
static int my_write(BIO* b, const char* t, int l) {
  (void)b;
  (void)t;
  count++;
  count++;
  return l;
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
  BIO_METHOD* m = BIO_meth_new(99, "mine");
  BIO_meth_set_write(m, my_write);
  BIO* b = BIO_new(m);
  when_readable(3, on_a, b);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
