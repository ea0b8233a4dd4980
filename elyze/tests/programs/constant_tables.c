#define _GNU_SOURCE
#include "server.h"

static const char *const names[] = {"a", "b"};
HANDLER(on_a) {
  UNUSED;
  puts(names[fd % 2]);
}
// SAFE: on_a on_a

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
