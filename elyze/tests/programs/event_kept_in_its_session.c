#define _GNU_SOURCE
#include "server.h"

struct session {
  struct event *ev;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  event_del(s->ev);
}
// CONFLICT session: on_a on_a

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->ev = event_new(base, i, EV_READ, on_a, s);
    event_add(s->ev, NULL);
  }
  return event_base_dispatch(base);
}
