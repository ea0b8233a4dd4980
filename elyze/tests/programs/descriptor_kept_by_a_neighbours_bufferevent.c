// The socket of one session is also that of a bufferevent which another session has.
// CONFLICT always: on_a on_b
// IMPRECISE: on_a on_a: session
// IMPRECISE: on_b on_b: session
#include <event2/bufferevent.h>
#include "server.h"
struct left {
  int fd;
};
struct right {
  struct bufferevent* bev;
};
HANDLER(on_a) {
  struct left* l = arg;
  UNUSED;
  if (send(l->fd, "a", 1, 0) == 1) send(l->fd, "a", 1, 0);
}
HANDLER(on_b) {
  struct right* r = arg;
  UNUSED;
  send(bufferevent_getfd(r->bev), "b", 1, 0);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct left* l = calloc(1, sizeof *l);
    struct right* r = calloc(1, sizeof *r);
    l->fd = socket(AF_INET, SOCK_STREAM, 0);
    r->bev = bufferevent_socket_new(base, l->fd, 0);
    when_readable(i, on_a, l);
    when_readable(i + 10, on_b, r);
  }
  return event_base_dispatch(base);
}
