// One handler prints to the stream of a socket, the other writes to the socket.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
static FILE* stream;
static int out;
HANDLER(on_a) {
  UNUSED;
  fprintf(stream, "a");
  fprintf(stream, "a\n");
  fflush(stream);
}
HANDLER(on_b) {
  UNUSED;
  if (write(out, "b\n", 2) != 2) abort();
}

int main(void) {
  base = event_base_new();
  out = socket(AF_INET, SOCK_STREAM, 0);
  stream = fdopen(out, "w");
  setvbuf(stream, NULL, _IONBF, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
