#define _GNU_SOURCE
#include "server.h"

static int counter;
HANDLER(on_a) {
  UNUSED;
  counter++;
}
HANDLER(on_b) {
  UNUSED;
  if (counter > 3) exit(1);
}
// CONFLICT always: on_a on_a: counter
// CONFLICT always: on_a on_b: counter
// SAFE: on_b on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
