#define _GNU_SOURCE
#include "server.h"

struct session {
  struct event ev;
  int n;
};
static void watch(struct session *s, int fd, event_callback_fn f) {
  event_assign(&s->ev, base, fd, EV_READ, f, s);
  event_add(&s->ev, NULL);
}
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->n++;
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  s->n++;
  watch(s, fd, on_a);
}
// CONFLICT session: on_a on_a: session->n
// CONFLICT session: on_a on_b: session->n

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) watch(calloc(1, sizeof(struct session)), i, i % 2 ? on_a : on_b);
  return event_base_dispatch(base);
}
