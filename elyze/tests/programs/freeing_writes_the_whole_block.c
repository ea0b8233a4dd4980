#define _GNU_SOURCE
#include "server.h"

struct session {
  int n, m;
};
HANDLER(on_a) {
  UNUSED;
  free(arg);
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  if (s->m) exit(1);
}
// CONFLICT session: on_a on_b: session->m

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    when_readable(i, on_a, s);
    when_readable(i, on_b, s);
  }
  return event_base_dispatch(base);
}
