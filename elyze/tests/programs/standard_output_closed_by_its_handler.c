// The event loop hands the number on that the handler closes: 1 may be the log afterwards.
// CONFLICT always: on_write on_read: contents of elyze-log
// CONFLICT always: on_ready on_ready
// CONFLICT always: on_ready on_write
// SAFE: on_read on_read
#include "server.h"

HANDLER(on_ready) {
  UNUSED;
  close(fd);
}

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
  when_readable(1, on_ready, NULL);
  open("/tmp/elyze-log", O_WRONLY | O_CREAT, 0600);
  when_readable(3, on_write, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
