// What is written to a memory stream stands in its text, in place or in another block.
// CONFLICT always: on_a on_a: *text, *stream
// CONFLICT always: on_a on_b: *text
// CONFLICT always: on_b on_b: seen

#include "server.h"
static FILE* stream;
static char* text;
static size_t length;
static int seen;
HANDLER(on_a) {
  UNUSED;
  fseek(stream, 0, SEEK_SET);
  fputc('a', stream);
  fseek(stream, 0, SEEK_SET);
}
HANDLER(on_b) {
  UNUSED;
  seen = text[0];
}
int main(int argc, char** argv) {
  base = event_base_new();
  stream = open_memstream(&text, &length);
  fputs("abc", stream);
  fflush(stream);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
