// A function says which descriptor the stream has: it may be that of standard output.
// SAFE: on_line on_line
// CONFLICT always: on_line on_lines: open file of unknown origin
// IMPRECISE: on_lines on_lines: never
#include "server.h"

static FILE *copy;
static int output(int wanted) { return wanted; }
HANDLER(on_line) {
  UNUSED;
  puts("line");
}

HANDLER(on_lines) {
  UNUSED;
  fputs("one\ntwo\n", copy);
}

int main(int argc, char **argv) {
  copy = fdopen(output(argc > 1 && *argv[1] ? 2 : 1), "w");
  if (copy == NULL) return 1;
  base = event_base_new();
  when_readable(3, on_line, NULL);
  when_readable(4, on_lines, NULL);
  return event_base_dispatch(base);
}
