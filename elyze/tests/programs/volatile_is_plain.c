#define _GNU_SOURCE
#include "server.h"

static volatile int ready;
HANDLER(on_a) {
  UNUSED;
  ready = 1;
}
HANDLER(on_b) {
  UNUSED;
  if (ready) exit(1);
}
// CONFLICT always: on_a on_b: ready

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
