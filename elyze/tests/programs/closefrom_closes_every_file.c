// closefrom() takes the open files of every other handler away; in the child of fork() it does so to the child alone.
// CONFLICT always: on_close on_close: open files
// CONFLICT always: on_close on_read: open files
// CONFLICT always: on_close on_spawn: open files
// SAFE: on_close on_count
// CONFLICT session: on_read on_read
// SAFE: on_read on_spawn
// SAFE: on_read on_count
// CONFLICT always: on_spawn on_spawn: children
// SAFE: on_spawn on_count
// CONFLICT always: on_count on_count: counter
#define _GNU_SOURCE
#include "server.h"

struct session {
  int fd;
};

static int counter;

HANDLER(on_close) {
  UNUSED;
  closefrom(3);
}

HANDLER(on_read) {
  struct session *s = arg;
  char buffer[64];
  UNUSED;
  if (read(s->fd, buffer, sizeof buffer) < 0) return;
}

HANDLER(on_spawn) {
  UNUSED;
  if (fork() == 0) {
    closefrom(3);
    _exit(0);
  }
}

HANDLER(on_count) {
  UNUSED;
  counter++;
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 4; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    when_readable(s->fd, on_read, s);
  }
  when_readable(3, on_close, NULL);
  when_readable(4, on_spawn, NULL);
  when_readable(5, on_count, NULL);
  return event_base_dispatch(base);
}
