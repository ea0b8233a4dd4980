// A structure is moved between two blocks of the stack in two overlapping pieces.
// CONFLICT always: on_a on_a: shared
// CONFLICT always: on_a on_b: shared
// CONFLICT always: on_b on_b: shared
#include <alloca.h>
#include "server.h"
struct session {
  long own;
};
struct pair {
  char kind[5];
  long* where;
  char end[3];
} __attribute__((packed));
static long shared;
HANDLER(on_a) {
  struct session* s = arg;
  (void)what;
  struct pair *from = alloca(sizeof *from), *to = alloca(sizeof *to);
  from->where = &shared;
  to->where = &s->own;
  size_t cut = 8 + ((size_t)fd & 1);
  memmove(to, from, cut);
  memmove((char*)to + cut, (char*)from + cut, sizeof *to - cut);
  (*to->where)++;
}
HANDLER(on_b) {
  UNUSED;
  shared++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->own = i;
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
