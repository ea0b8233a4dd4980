// Two streams that append to one log, written out by lines: two lines of one call are two writes, and what the other
// stream appends may come between them.
// IMPRECISE: on_two on_two: never
// CONFLICT always: on_two on_one: contents of log
// IMPRECISE: on_one on_one: never
#include "server.h"

static FILE *by_lines, *other;

HANDLER(on_two) {
  UNUSED;
  fputs("one\ntwo\n", by_lines);
}

HANDLER(on_one) {
  UNUSED;
  fputs("other\n", other);
}

int main(void) {
  by_lines = fopen("log", "a");
  other = fopen("log", "a");
  if (by_lines == NULL || other == NULL) return 1;
  setvbuf(by_lines, NULL, _IOLBF, 1024);
  setvbuf(other, NULL, _IOLBF, 1024);
  base = event_base_new();
  when_readable(3, on_two, NULL);
  when_readable(4, on_one, NULL);
  return event_base_dispatch(base);
}
