#define _GNU_SOURCE
#include "server.h"

struct session {
  int n;
};
static void count(struct session *s, int n) {
  s->n++;
  if (n) count(s, n - 1);
}
HANDLER(on_a) {
  UNUSED;
  count(arg, fd);
}
// CONFLICT session: on_a on_a: session->n

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
