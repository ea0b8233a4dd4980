#define _GNU_SOURCE
#include "server.h"

static _Thread_local int depth;
HANDLER(on_a) {
  UNUSED;
  depth++;
}
// CONFLICT always: on_a on_a: depth

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
