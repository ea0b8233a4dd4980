#define _GNU_SOURCE
#include "server.h"

struct session {
  struct event ev;
  int n;
  char name[8];
};
HANDLER(on_work) {
  struct session *s = arg;
  UNUSED;
  s->n++;
  s->name[0] = 1;
}
HANDLER(on_accept) {
  UNUSED;
  struct session *s = calloc(1, sizeof *s);
  if (!s) return;
  s->n = 1;
  strcpy(s->name, "new");
  event_assign(&s->ev, base, accept(fd, NULL, NULL), EV_READ, on_work, s);
  event_add(&s->ev, NULL);
}
// SAFE: on_accept on_work

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  return event_base_dispatch(base);
}
