// A function makes a stream of a copy of the descriptor that it is given: that of standard output.
// IMPRECISE: on_line on_line: never
// CONFLICT always: on_line on_lines: what 0, 1 and 2 lead to
// IMPRECISE: on_lines on_lines: never
#include "server.h"

static FILE *copy;
static FILE *stream_of(int descriptor) { return fdopen(dup(descriptor), "w"); }

HANDLER(on_line) {
  UNUSED;
  puts("line");
}

HANDLER(on_lines) {
  UNUSED;
  fputs("one\ntwo\n", copy);
}

int main(void) {
  copy = stream_of(1);
  if (copy == NULL) return 1;
  base = event_base_new();
  when_readable(3, on_line, NULL);
  when_readable(4, on_lines, NULL);
  return event_base_dispatch(base);
}
