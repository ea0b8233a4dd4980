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
  struct session *s = NULL;
  for (int i = 0; i < what; i++) {
    if (s)
      s->n = i;
    else {
      s = calloc(1, sizeof *s);
      event_assign(&s->ev, base, fd, EV_READ, on_work, s);
      event_add(&s->ev, NULL);
    }
  }
}
// CONFLICT always: on_accept on_work: session->n

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  return event_base_dispatch(base);
}
