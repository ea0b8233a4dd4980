// CONFLICT always: on_a on_b: x
/* indices are dealt out one after the other */
#include "server.h"
#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
static int i, j, k, next;
HANDLER(on_a) {
  UNUSED;
  i = CRYPTO_get_ex_new_index(0, 0, 0, 0, 0, 0);
  j = CRYPTO_get_ex_new_index(0, 0, 0, 0, 0, 0);
  next = j - i;
}
HANDLER(on_b) {
  UNUSED;
  k = CRYPTO_get_ex_new_index(0, 0, 0, 0, 0, 0);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
