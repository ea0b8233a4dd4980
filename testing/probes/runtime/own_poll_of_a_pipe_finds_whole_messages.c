// possible: (12\n)=0
// An epoll descriptor of the program's, which the loop waits for.
#include "p.h"
#include <sys/epoll.h>
static int end[2], set;
HANDLER(on_a) {
  UNUSED;
  if (write(end[1], "1", 1) != 1) return;
  take(80);
  if (write(end[1], "2", 1) != 1) return;
}
HANDLER(on_set) {
  UNUSED;
  struct epoll_event found;
  char text[8] = {0};
  if (epoll_wait(set, &found, 1, 0) == 1 && read(found.data.fd, text, 7) > 0) puts(text);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
int main(void) {
  if (pipe2(end, O_NONBLOCK) != 0) return 1;
  set = epoll_create1(0);
  struct epoll_event want = {.events = EPOLLIN, .data.fd = end[0]};
  epoll_ctl(set, EPOLL_CTL_ADD, end[0], &want);
  base = event_base_new();
  event_add(event_new(base, set, EV_READ | EV_PERSIST, on_set, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
