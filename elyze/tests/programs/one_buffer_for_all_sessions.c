#define _GNU_SOURCE
#include "server.h"

struct session {
  char *buffer;
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  s->buffer[what] = 1;
}
// CONFLICT always: on_a on_a

int main(void) {
  base = event_base_new();
  char *shared = malloc(100);
  for (int i = 3; i < 9; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->buffer = shared;
    when_readable(i, on_a, s);
  }
  return event_base_dispatch(base);
}
