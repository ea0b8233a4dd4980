// puts() prints to whatever stdout leads to (C17 7.21.1 does not forbid to set it): never into the log, in a serial run.
// CONFLICT always: on_log on_log: stdout
// CONFLICT always: on_log on_line: stdout
// SAFE: on_line on_line
#include <stdio.h>

#include "server.h"

static FILE* records;

HANDLER(on_log) {
  UNUSED;
  FILE* old = stdout;
  stdout = records;
  puts("record");
  stdout = old;
}

HANDLER(on_line) {
  UNUSED;
  puts("hello");
}

int main(void) {
  base = event_base_new();
  records = fopen("/tmp/records", "w");
  when_readable(3, on_log, NULL);
  when_readable(4, on_line, NULL);
  return event_base_dispatch(base);
}
