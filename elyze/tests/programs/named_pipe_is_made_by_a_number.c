// A path is that of a pipe, which syscall() has made: what one handler reads is gone for the other.
// CONFLICT always: on_take on_take
// CONFLICT always: on_take on_other
// CONFLICT always: on_other on_other
#include "server.h"

#include <sys/syscall.h>

static void take(void) {
  char c;
  const int pipe = open("p", O_RDONLY | O_NONBLOCK);
  if (pipe >= 0 && read(pipe, &c, 1) == 1) putchar(c);
  close(pipe);
}
HANDLER(on_take) {
  UNUSED;
  take();
}
HANDLER(on_other) {
  UNUSED;
  take();
}

int main(void) {
  base = event_base_new();
  syscall(SYS_mknodat, AT_FDCWD, "p", 010600, 0);
  when_readable(3, on_take, NULL);
  when_readable(4, on_other, NULL);
  return event_base_dispatch(base);
}
