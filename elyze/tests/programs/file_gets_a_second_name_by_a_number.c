// syscall() makes a link: which function it stands for says a number.
// CONFLICT always: on_empty on_empty
// CONFLICT always: on_empty on_show: contents of some file
// SAFE: on_show on_show
#include "server.h"

#include <sys/syscall.h>

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
  UNUSED;
  empty();
}
HANDLER(on_show) {
  UNUSED;
  show();
}

int main(void) {
  base = event_base_new();
  syscall(SYS_linkat, AT_FDCWD, "log", AT_FDCWD, "copy", 0);
  when_readable(3, on_empty, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
