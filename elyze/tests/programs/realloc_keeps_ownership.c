#define _GNU_SOURCE
#include "server.h"

struct session {
  char *buffer;
  size_t size;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  char *p = realloc(s->buffer, s->size + 10);
  if (p == NULL) return;
  s->buffer = p;
  s->size += 10;
  p[s->size - 1] = 0;
}
// CONFLICT session: on_a on_a: session->buffer

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
