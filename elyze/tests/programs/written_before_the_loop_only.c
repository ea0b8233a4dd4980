#define _GNU_SOURCE
#include "server.h"

static int limit;
HANDLER(on_a) {
  UNUSED;
  if (fd > limit) exit(1);
}
// SAFE: on_a on_a

int main(void) {
  base = event_base_new();
  limit = 7;
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
