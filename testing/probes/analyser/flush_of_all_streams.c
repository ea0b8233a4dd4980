// fflush(NULL) flushes memory streams, too, which writes the text's address and length.
// CONFLICT always: on_flush on_show: length
// SAFE: on_show on_show
// SAFE: on_add on_add
// CONFLICT always: on_flush on_flush: length
// SAFE: on_add on_show
// SAFE: on_add on_flush
#include "server.h"
static FILE* out;
static char* text;
static size_t length;
HANDLER(on_add) {
  UNUSED;
  fputs("line\n", out);
}
HANDLER(on_flush) {
  UNUSED;
  fflush(NULL);
}
HANDLER(on_show) {
  UNUSED;
  printf("%zu %zu\n", length, length);
}
int main(void) {
  base = event_base_new();
  out = open_memstream(&text, &length);
  when_readable(3, on_add, NULL);
  when_readable(4, on_flush, NULL);
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
