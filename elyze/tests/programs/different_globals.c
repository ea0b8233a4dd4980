#define _GNU_SOURCE
#include "server.h"

static int reads, writes;
HANDLER(on_a) {
  UNUSED;
  reads++;
}
HANDLER(on_b) {
  UNUSED;
  writes++;
}
// SAFE: on_a on_b

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
