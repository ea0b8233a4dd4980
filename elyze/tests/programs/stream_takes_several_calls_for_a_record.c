// Another invocation may print between the parts of a record.
// CONFLICT always: on_parts on_parts: stream stdout
// CONFLICT always: on_parts on_line: stream stdout
// SAFE: on_line on_line
#include "server.h"

HANDLER(on_parts) {
  UNUSED;
  printf("%d", fd);
  puts(" is readable");
}

HANDLER(on_line) {
  UNUSED;
  fprintf(stdout, "%d\n", fd);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_parts, NULL);
  when_readable(4, on_line, NULL);
  return event_base_dispatch(base);
}
