// CONFLICT always: on_a on_b: libevent prints a warning where an event cannot be added (event_warn -> stderr)
// libevent prints a warning where an event cannot be added (event_warn -> stderr)
// Schedule: A prints "adding 99", B prints "hello", libevent prints "[warn] Epoll ADD ... failed". Serial: A's two
// lines stand together.
#include "server.h"
#include <stdio.h>
static struct event* ev;
static void on_c(evutil_socket_t fd, short what, void* arg) { UNUSED; }
HANDLER(on_a) {
  UNUSED;
  fprintf(stderr, "adding 99\n");
  event_add(ev, NULL);
}
HANDLER(on_b) {
  UNUSED;
  fprintf(stderr, "hello\n");
}
int main(void) {
  base = event_base_new();
  ev = event_new(base, 99, EV_READ, on_c, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
