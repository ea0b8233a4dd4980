// /dev/fd/1 is what descriptor 1 leads to (proc(5)).
// CONFLICT always: on_pair on_pair: contents of some file
// CONFLICT always: on_pair on_line: state that files of the kernel show
// SAFE: on_line on_line
#include "server.h"

HANDLER(on_pair) {
  UNUSED;
  FILE* t = fopen("/dev/fd/1", "w");
  fputs("a", t);
  fflush(t);
  fputs("b", t);
  fclose(t);
}

HANDLER(on_line) {
  UNUSED;
  puts("x");
  fflush(stdout);
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_pair, NULL);
  when_readable(4, on_line, NULL);
  return event_base_dispatch(base);
}
