// A file that is renamed is still written by whoever has it open: in a serial run on_look finds whole lines.
// CONFLICT always: on_line on_line: file of records
// CONFLICT always: on_line on_look: contents of records
// SAFE: on_look on_look
// CONFLICT always: on_line on_rotate: contents of records
// CONFLICT always: on_look on_rotate: directory entry of records
// CONFLICT always: on_rotate on_rotate: directory entry of records
#include <stdio.h>

#include "server.h"

static int records;

HANDLER(on_line) {
  UNUSED;
  write(records, "x", 1);
  write(records, "\n", 1);
}

HANDLER(on_look) {
  UNUSED;
  char text[8];
  int old = open("/tmp/records.1", O_RDONLY);
  read(old, text, sizeof text);
  close(old);
}

HANDLER(on_rotate) {
  UNUSED;
  rename("/tmp/records", "/tmp/records.1");
}

int main(void) {
  base = event_base_new();
  records = open("/tmp/records", O_WRONLY | O_APPEND);
  when_readable(3, on_line, NULL);
  when_readable(4, on_look, NULL);
  when_readable(5, on_rotate, NULL);
  return event_base_dispatch(base);
}
