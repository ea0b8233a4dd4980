#define _GNU_SOURCE
#include "server.h"

struct session {
  char *buffer;
};
static char *last;
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->buffer[what] = 1;
}
// CONFLICT always: on_a on_a: last

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->buffer = last = malloc(100);
    when_readable(i, on_a, s);
  }
  return event_base_dispatch(base);
}
