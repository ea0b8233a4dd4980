#define _GNU_SOURCE
#include "server.h"

struct session {
  struct event first, second;
  int n;
};
HANDLER(on_second) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
HANDLER(on_first) {
  struct session *s = arg;
  UNUSED;
  s->n++;
  event_active(&s->second, 0, 0);
}
// CONFLICT session: on_first on_second: session->n
// CONFLICT session: on_second on_second: session->n

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    event_assign(&s->second, base, -1, 0, on_second, s);
    event_assign(&s->first, base, i, EV_READ, on_first, s);
    event_add(&s->first, NULL);
  }
  return event_base_dispatch(base);
}
