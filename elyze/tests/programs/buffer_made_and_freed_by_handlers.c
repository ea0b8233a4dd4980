#define _GNU_SOURCE
#include "server.h"

struct session {
  char *body;
  size_t size;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->body = malloc(20);
  if (s->body) memcpy(s->body, "0123456789", 10);
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  free(s->body);
  s->body = NULL;
}
// CONFLICT session: on_a on_a: session->body
// CONFLICT session: on_a on_b: session->body

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    when_readable(i, on_a, s);
    when_readable(i, on_b, s);
  }
  return event_base_dispatch(base);
}
