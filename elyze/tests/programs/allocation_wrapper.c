#define _GNU_SOURCE
#include "server.h"

static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (p == NULL) abort();
  return p;
}
struct session {
  char *buffer;
};
static char *table;
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->buffer[0] = 1;
}
HANDLER(on_b) {
  UNUSED;
  table[0] = 1;
}
// CONFLICT session: on_a on_a: *session->buffer
// CONFLICT always: on_b on_b: *table
// SAFE: on_a on_b

int main(void) {
  base = event_base_new();
  table = xmalloc(10);
  for (int i = 3; i < 9; i++) {
    struct session *s = xmalloc(sizeof *s);
    s->buffer = xmalloc(10);
    when_readable(i, on_a, s);
    when_readable(i, on_b, NULL);
  }
  return event_base_dispatch(base);
}
