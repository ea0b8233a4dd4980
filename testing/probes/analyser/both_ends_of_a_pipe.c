// What is written in two steps at one end must not be read half at the other.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
static int ends[2];
HANDLER(on_a) {
  UNUSED;
  if (write(ends[1], "name ", 5) == 5 && write(ends[1], "value", 5) == 5) return;
  abort();
}
HANDLER(on_b) {
  UNUSED;
  char bytes[10];
  if (read(ends[0], bytes, 10) == 5) abort();
}

int main(void) {
  base = event_base_new();
  if (pipe(ends)) return 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
