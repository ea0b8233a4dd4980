// A descriptor of epoll is ready when what it watches is. In a serial run both calls of poll() say the same.
// CONFLICT always: on_read on_read: file of ends
// CONFLICT always: on_read on_ask: open file of unknown origin
// SAFE: on_ask on_ask
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "server.h"

static int watching;
static int ends[2];

HANDLER(on_read) {
  UNUSED;
  char letters[8];
  read(ends[0], letters, 8);
}

HANDLER(on_ask) {
  UNUSED;
  struct pollfd one = {watching, POLLIN, 0};
  struct pollfd two = one;
  poll(&one, 1, 0);
  poll(&two, 1, 0);
  if (one.revents != two.revents) abort();
}

int main(void) {
  base = event_base_new();
  watching = epoll_create1(0);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(watching, EPOLL_CTL_ADD, ends[0], &event);
  when_readable(3, on_read, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
