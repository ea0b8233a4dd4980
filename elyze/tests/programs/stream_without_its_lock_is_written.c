// putc_unlocked takes no lock, so even one call conflicts.
// CONFLICT always: on_put on_put: stream stdout
// CONFLICT always: on_put on_line: stream stdout
// SAFE: on_line on_line
#include "server.h"

HANDLER(on_put) {
  UNUSED;
  putc_unlocked('x', stdout);
}

HANDLER(on_line) {
  UNUSED;
  puts("x");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_put, NULL);
  when_readable(4, on_line, NULL);
  return event_base_dispatch(base);
}
