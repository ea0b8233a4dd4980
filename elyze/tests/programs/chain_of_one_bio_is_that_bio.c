// BIO_push(3): without a chain to append to, the chain is what was to be appended.
// CONFLICT always: on_a on_a: data
// CONFLICT always: on_a on_b: data
// CONFLICT always: on_b on_b: data

#include <openssl/bio.h>

#include "server.h"
static BIO *data, *chain;
HANDLER(on_a) {
  UNUSED;
  BIO_puts(data, "one");
}
HANDLER(on_b) {
  UNUSED;
  BIO_puts(chain, "two");
}
int main(int argc, char** argv) {
  base = event_base_new();
  data = BIO_new(BIO_s_mem());
  chain = BIO_push(NULL, data);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
