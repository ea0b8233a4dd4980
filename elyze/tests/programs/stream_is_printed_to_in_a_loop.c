// One call in a loop is several calls.
// CONFLICT always: on_dump on_dump: trace
// CONFLICT always: on_dump on_line: trace
// SAFE: on_line on_line
#include "server.h"

static FILE *trace;

HANDLER(on_dump) {
  UNUSED;
  for (int i = 0; i < fd; i++) fprintf(trace, "%d ", i);
}

HANDLER(on_line) {
  UNUSED;
  fprintf(trace, "%d\n", fd);
}

int main(void) {
  base = event_base_new();
  trace = fopen("/var/log/trace", "a");
  when_readable(3, on_dump, NULL);
  when_readable(4, on_line, NULL);
  return event_base_dispatch(base);
}
