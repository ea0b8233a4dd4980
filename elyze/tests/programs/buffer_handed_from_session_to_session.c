#define _GNU_SOURCE
#include "server.h"

struct session {
  struct session *next;
  char *buffer;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->next->buffer = s->buffer;
}
HANDLER(on_b) {
  struct session *s = arg;
  UNUSED;
  s->buffer[0] = 1;
}
// CONFLICT always: on_b on_b
// CONFLICT always: on_a on_b: session->buffer

int main(void) {
  base = event_base_new();
  struct session *before = NULL;
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->buffer = malloc(9);
    s->next = before;
    before = s;
    when_readable(i, on_a, s);
    when_readable(i, on_b, s);
  }
  return event_base_dispatch(base);
}
