// Memory is opened as a stream.
// CONFLICT: always: on_a on_b: text
#include "server.h"
static char text[64];
static FILE *stream;
HANDLER(on_a) {
  UNUSED;
  fputs("a", stream);
  fflush(stream);
}
HANDLER(on_b) {
  UNUSED;
  text[0] = 0;
}
int main(void) {
  base = event_base_new();
  stream = fmemopen(text, sizeof text, "w");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
