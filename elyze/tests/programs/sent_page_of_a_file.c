// Pages that sendfile() has sent are those of the file until the reader has taken them (sendfile(2), notes).
// CONFLICT always: on_write on_write
// CONFLICT always: on_read on_write: contents of x
// CONFLICT always: on_read on_read
#include <sys/sendfile.h>

#include "server.h"

static int file, from;
static char first, last;

HANDLER(on_write) {
  UNUSED;
  pwrite(file, "a", 1, 0);
  pwrite(file, "a", 1, 99);
}

HANDLER(on_read) {
  UNUSED;
  char text[100];
  read(from, text, sizeof text);
  first = text[0];
  last = text[99];
}

int main(void) {
  base = event_base_new();
  int ends[2];
  pipe(ends);
  from = ends[0];
  file = open("x", O_RDWR);
  sendfile(ends[1], file, NULL, 100);
  when_readable(3, on_read, NULL);
  when_readable(4, on_write, NULL);
  return event_base_dispatch(base);
}
