#define _GNU_SOURCE
#include "server.h"

struct session {
  struct event ev;
  int fd;
};
HANDLER(on_work) {
  char c;
  UNUSED;
  if (read(fd, &c, 1) < 1) exit(1);
}
HANDLER(on_accept) {
  UNUSED;
  struct session *s = calloc(1, sizeof *s);
  s->fd = accept(fd, NULL, NULL);
  event_assign(&s->ev, base, s->fd, EV_READ, on_work, s);
  event_add(&s->ev, NULL);
}
// CONFLICT session: on_work on_work: file of session->fd
// SAFE: on_accept on_work

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  return event_base_dispatch(base);
}
