// A record of two calls must not be torn by somebody who writes to the same terminal without the stream.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
HANDLER(on_a) {
  UNUSED;
  fprintf(stderr, "name: ");
  fprintf(stderr, "value\n");
}
HANDLER(on_b) {
  UNUSED;
  if (write(STDERR_FILENO, "interrupted\n", 12) != 12) abort();
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
