#define _GNU_SOURCE
#include "server.h"

struct session {
  struct body {
    char *data;
  } body;
};
static struct body kept;
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->body.data[0] = 1;
}
// CONFLICT always: on_a on_a: kept.data

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->body.data = malloc(9);
    kept = s->body;
    when_readable(i, on_a, s);
  }
  return event_base_dispatch(base);
}
