// Events are waited for in a set.
// CONFLICT: always: on_a on_b: eventfd
#include "server.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
static int set, e;
static long g;
HANDLER(on_a) {
  UNUSED;
  struct epoll_event ev;
  g += epoll_wait(set, &ev, 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  eventfd_t one = 1;
  if (write(e, &one, sizeof one) < 0) return;
}
int main(void) {
  base = event_base_new();
  set = epoll_create1(0);
  e = eventfd(0, EFD_NONBLOCK);
  epoll_ctl(set, EPOLL_CTL_ADD, e, &(struct epoll_event){.events = EPOLLIN});
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
