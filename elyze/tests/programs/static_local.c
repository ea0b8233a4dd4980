#define _GNU_SOURCE
#include "server.h"

static int next_id(void) {
  static int last;
  return ++last;
}
HANDLER(on_a) {
  UNUSED;
  if (next_id() > 5) exit(1);
}
// CONFLICT always: on_a on_a: next_id.last

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
