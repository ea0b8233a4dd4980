// fcntl() makes a second descriptor of standard output, and fdopen() a stream of that, with a lock of its own.
// IMPRECISE: on_line on_line: never
// CONFLICT always: on_line on_lines: what 0, 1 and 2 lead to
// IMPRECISE: on_lines on_lines: never
#include "server.h"

static FILE *copy;

HANDLER(on_line) {
  UNUSED;
  puts("line");
}

HANDLER(on_lines) {
  UNUSED;
  fputs("one\ntwo\n", copy);
}

int main(void) {
  copy = fdopen(fcntl(1, F_DUPFD, 10), "w");
  if (copy == NULL) return 1;
  base = event_base_new();
  when_readable(3, on_line, NULL);
  when_readable(4, on_lines, NULL);
  return event_base_dispatch(base);
}
