#define _GNU_SOURCE
#include "server.h"

static int slots[8];
HANDLER(on_a) {
  UNUSED;
  slots[1] = fd;
}
HANDLER(on_b) {
  UNUSED;
  slots[2] = fd;
}
// CONFLICT always: on_a on_b: slots

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
