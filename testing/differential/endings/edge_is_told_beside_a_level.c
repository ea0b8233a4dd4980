/* Of two events of one socket one asks for edges, the other does not: the former is told EV_ET all the same. */
#include <sys/socket.h>

#include "small.h"

HANDLER(on_read) {
  char byte;
  (void)arg;
  printf("%x\n", (unsigned)what);
  if (read(fd, &byte, 1) != 1) say("nothing\n");
}
HANDLER(on_write) { UNUSED; }

int main(void) {
  int end[2];
  base = event_base_new();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, end) != 0 || write(end[1], "x", 1) != 1) return 2;
  event_add(event_new(base, end[0], EV_READ | EV_ET, on_read, NULL), NULL);
  event_add(event_new(base, end[0], EV_WRITE, on_write, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
