// Closing the stream closes the socket that another handler uses.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
static FILE* stream;
static int out;
HANDLER(on_a) {
  UNUSED;
  fclose(stream);
}
HANDLER(on_b) {
  UNUSED;
  if (send(out, "b", 1, 0) == 1) send(out, "c", 1, 0);
}

int main(void) {
  base = event_base_new();
  out = socket(AF_INET, SOCK_STREAM, 0);
  stream = fdopen(out, "w");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
