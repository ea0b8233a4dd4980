// stdout is one of two memory streams; whoever prints moves the text that the other handler looks at.
// CONFLICT always: on_print on_peek: text
// CONFLICT always: on_peek on_peek
#define _GNU_SOURCE
#include "server.h"
static char *one, *two; static size_t n1, n2; static long sum;
static long print_calls;
HANDLER(on_print) { print_calls++; UNUSED; puts("line"); }
HANDLER(on_peek) { UNUSED; if (one) sum += one[0]; if (two) sum += two[0]; }
// CONFLICT always: on_print on_print: print_calls
int main(int argc, char **argv) {
  (void)argv; base = event_base_new();
  if (argc > 1) stdout = open_memstream(&one, &n1); else stdout = open_memstream(&two, &n2);
  when_readable(3, on_print, NULL); when_readable(4, on_peek, NULL);
  return event_base_dispatch(base);
}
