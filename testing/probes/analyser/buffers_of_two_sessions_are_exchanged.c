// The session with the highest number gives its buffer to the one that runs, in one structure assignment.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT session: on_b on_b
#include "server.h"
struct part {
  char* buffer;
  long used;
};
struct session {
  struct part part;
};
static struct session* last;
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  struct part kept = s->part;
  s->part = last->part;
  last->part = kept;
}
HANDLER(on_b) {
  struct session* s = arg;
  UNUSED;
  s->part.buffer[0]++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->part.buffer = malloc(9);
    last = s;
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
