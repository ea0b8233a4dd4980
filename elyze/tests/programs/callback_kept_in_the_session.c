#define _GNU_SOURCE
#include "server.h"

static int done, failed;
struct session {
  void (*then)(struct session *);
  int n;
};
static void finish(struct session *s) {
  s->n++;
  done++;
}
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->then(s);
}
HANDLER(on_b) {
  UNUSED;
  failed++;
}
// CONFLICT always: on_a on_a: done
// SAFE: on_a on_b

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->then = finish;
    when_readable(i, on_a, s);
    when_readable(i, on_b, s);
  }
  return event_base_dispatch(base);
}
