// Stream of cookie calls back.
// CONFLICT always: on_a on_b: g
#define _GNU_SOURCE
#include "server.h"
static long g;
static FILE *stream;
static ssize_t put(void *cookie, const char *text, size_t n) {
  (void)cookie, (void)text;
  g++;
  return (ssize_t)n;
}
HANDLER(on_a) {
  UNUSED;
  fprintf(stream, "a");
  fflush(stream);
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  cookie_io_functions_t f = {.write = put};
  stream = fopencookie(NULL, "w", f);
  setbuf(stream, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
