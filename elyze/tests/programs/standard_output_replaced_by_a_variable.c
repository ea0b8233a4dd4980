// dup2() onto a number in a variable makes 1 the log (dup(2)).
// CONFLICT always: on_write on_write: contents of some file
// CONFLICT always: on_write on_read: contents of elyze-log
// SAFE: on_read on_read
#include "server.h"

static int target = 1;

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

int main(int argc, char** argv) {
  (void)argv;
  base = event_base_new();
  if (argc > 3) target = 2;
  dup2(open("/tmp/elyze-log", O_WRONLY | O_CREAT, 0600), target);
  when_readable(3, on_write, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
