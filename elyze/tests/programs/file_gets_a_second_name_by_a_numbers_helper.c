// The number comes through a function that is told which call to make.
// CONFLICT always: on_empty on_empty
// CONFLICT always: on_empty on_show: contents of some file
// SAFE: on_show on_show
#include "server.h"

#include <sys/syscall.h>
static long twin(long number, const char *from, const char *to) { return syscall(number, from, to); }

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
  twin(SYS_link, "log", "copy");
  when_readable(3, on_empty, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
