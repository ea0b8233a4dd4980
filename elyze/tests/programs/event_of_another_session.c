#define _GNU_SOURCE
#include "server.h"

struct session {
  struct event ev;
  struct session *peer;
  int n;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  event_del(&s->peer->ev);
}
HANDLER(on_b) { UNUSED; }
// CONFLICT always: on_a on_b: session->ev

int main(void) {
  base = event_base_new();
  struct session *s = calloc(1, sizeof *s), *t = calloc(1, sizeof *t);
  s->peer = t;
  t->peer = s;
  event_assign(&s->ev, base, 3, EV_READ, on_a, s);
  event_assign(&t->ev, base, 4, EV_READ, on_b, t);
  event_add(&s->ev, NULL);
  event_add(&t->ev, NULL);
  return event_base_dispatch(base);
}
