// fdopen() makes a second stream of descriptor 1, with a lock of its own: its two lines are two writes where that is a
// terminal, and a line of stdout may come between them.
// IMPRECISE: on_line on_line: never
// CONFLICT always: on_line on_lines: what 0, 1 and 2 lead to
// IMPRECISE: on_lines on_lines: never
#include "server.h"

static FILE* again;

HANDLER(on_line) {
  UNUSED;
  puts("line");
}

HANDLER(on_lines) {
  UNUSED;
  fputs("one\ntwo\n", again);
}

int main(void) {
  again = fdopen(1, "w");
  if (again == NULL) return 1;
  base = event_base_new();
  when_readable(3, on_line, NULL);
  when_readable(4, on_lines, NULL);
  return event_base_dispatch(base);
}
