// Each session has one of the two files open; they are exchanged by a number before.
// CONFLICT always: on_empty on_empty
// CONFLICT always: on_empty on_show: contents of some file
// SAFE: on_show on_show
#include "server.h"

#include <sys/syscall.h>
struct session {
  int file;
};

static void empty(void) {
  const int f = open("log", O_WRONLY | O_TRUNC);
  if (f >= 0) close(f);
}
static void show(void) {
  char c;
  const int f = open("copy", O_RDONLY);
  if (f >= 0 && read(f, &c, 1) == 1) putchar(c);
  close(f);
}

HANDLER(on_empty) {
  (void)fd, (void)what;
  struct session *s = arg;
  if (s->file < 0) s->file = open("log", O_WRONLY | O_TRUNC);
  empty();
}
HANDLER(on_show) {
  UNUSED;
  show();
}

int main(void) {
  base = event_base_new();
  syscall(SYS_renameat2, AT_FDCWD, "log", AT_FDCWD, "copy", 2);
  for (int i = 3; i < 6; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->file = -1;
    when_readable(i, on_empty, s);
  }
  when_readable(10, on_show, NULL);
  return event_base_dispatch(base);
}
