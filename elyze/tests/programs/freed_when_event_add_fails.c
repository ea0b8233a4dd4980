#define _GNU_SOURCE
#include "server.h"

struct session {
  struct event ev;
  int n;
};
HANDLER(on_work) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
HANDLER(on_accept) {
  UNUSED;
  struct session *s = calloc(1, sizeof *s);
  event_assign(&s->ev, base, accept(fd, NULL, NULL), EV_READ, on_work, s);
  if (event_add(&s->ev, NULL) != 0) free(s);
}
// SAFE: on_accept on_work

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  return event_base_dispatch(base);
}
