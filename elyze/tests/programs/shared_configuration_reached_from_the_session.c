#define _GNU_SOURCE
#include "server.h"

struct config {
  int limit, changed;
};
struct session {
  struct config *config;
  int n;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->config->changed++;
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  s->n = s->config->limit;
}
// CONFLICT always: on_a on_a: config->changed
// SAFE: on_a on_b
// CONFLICT session: on_b on_b: session->n

int main(void) {
  base = event_base_new();
  struct config *c = calloc(1, sizeof *c);
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->config = c;
    when_readable(i, on_a, s);
    when_readable(i, on_b, s);
  }
  return event_base_dispatch(base);
}
