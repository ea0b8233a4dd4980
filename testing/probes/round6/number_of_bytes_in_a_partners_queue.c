// Number of bytes in a partners queue.
// CONFLICT: always: on_a on_b: socket
#include "server.h"
#include <sys/ioctl.h>
static int s[2];
static int g;
HANDLER(on_a) {
  UNUSED;
  ioctl(s[0], FIONREAD, &g);
}
HANDLER(on_b) {
  UNUSED;
  if (write(s[1], "a", 1) < 0) return;
}
int main(void) {
  base = event_base_new();
  socketpair(AF_UNIX, SOCK_STREAM, 0, s);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
