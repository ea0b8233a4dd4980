// gzclose() closes the number that gzdopen() got: the log gets 1.
// CONFLICT always: on_write on_read: contents of elyze-log
// SAFE: on_read on_read
#include <zlib.h>

#include "server.h"


HANDLER(on_write) {
  UNUSED;
  write(1, "a", 1);
  write(1, "b", 1);
}

HANDLER(on_read) {
  UNUSED;
  char t[8];
  int in = open("/tmp/elyze-log", O_RDONLY);
  read(in, t, 8);
  close(in);
}

int main(void) {
  base = event_base_new();
  gzclose(gzdopen(1, "w"));
  open("/tmp/elyze-log", O_WRONLY | O_CREAT, 0600);
  when_readable(3, on_write, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
