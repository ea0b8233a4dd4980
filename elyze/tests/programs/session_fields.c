#define _GNU_SOURCE
#include "server.h"

struct session {
  int state, count;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->state++;
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  s->count = s->state;
}
HANDLER(on_c) {
  struct session *s = arg;
  UNUSED;
  s->count++;
}
// CONFLICT session: on_a on_a: session->state
// CONFLICT session: on_a on_b: session->state
// SAFE: on_a on_c

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    when_readable(i, on_a, s);
    when_readable(i, on_b, s);
    when_readable(i, on_c, s);
  }
  return event_base_dispatch(base);
}
