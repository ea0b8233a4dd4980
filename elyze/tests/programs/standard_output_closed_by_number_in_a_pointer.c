// A number stands in a list of pointers: 1 is closed, and the log gets it.
// CONFLICT always: on_write on_read: contents of elyze-log
// SAFE: on_read on_read
#include "server.h"

static void *numbers[2];

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

int main(int count, char **words) {
  (void)words;
  base = event_base_new();
  numbers[count & 1] = (void *)1;
  close((int)(long)numbers[count & 1]);
  open("/tmp/elyze-log", O_WRONLY | O_CREAT, 0600);
  when_readable(3, on_write, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
