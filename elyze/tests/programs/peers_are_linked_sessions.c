#define _GNU_SOURCE
#include "server.h"

struct session {
  struct session *peer;
  int n;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->peer->n++;
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  if (s->n) exit(1);
}
// CONFLICT always: on_a on_b: session->n

int main(void) {
  base = event_base_new();
  struct session *s = calloc(1, sizeof *s), *t = calloc(1, sizeof *t);
  s->peer = t;
  t->peer = s;
  when_readable(3, on_a, s);
  when_readable(4, on_b, t);
  when_readable(3, on_b, s);
  when_readable(4, on_a, t);
  return event_base_dispatch(base);
}
