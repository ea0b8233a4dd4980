#define _GNU_SOURCE
#include "server.h"

void vendor_call(void);
static int n;
HANDLER(on_a) {
  UNUSED;
  vendor_call();
}
HANDLER(on_b) {
  UNUSED;
  if (n) exit(1);
}
// CONFLICT always: on_a on_b: unknown external vendor_call
// CONFLICT always: on_a on_a: unknown external vendor_call
// SAFE: on_b on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
