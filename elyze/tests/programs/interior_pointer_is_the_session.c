#define _GNU_SOURCE
#include "server.h"

struct session {
  int n;
  struct inner {
    int m;
  } inner;
};
HANDLER(on_a) {
  struct inner *in = arg;
  UNUSED;
  in->m++;
}
HANDLER(on_b) {
  struct inner *in = arg;
  struct session *s = (struct session *)((char *)in - offsetof(struct session, inner));
  UNUSED;
  s->n++;
}
HANDLER(on_c) {
  struct session *s = arg;
  UNUSED;
  s->inner.m++;
}
// CONFLICT session: on_a on_a: session->inner.m
// SAFE: on_a on_b
// CONFLICT session: on_b on_b: session->n
// CONFLICT session: on_a on_c: session->inner.m

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    when_readable(i, on_a, &s->inner);
    when_readable(i, on_b, &s->inner);
    when_readable(i, on_c, s);
  }
  return event_base_dispatch(base);
}
