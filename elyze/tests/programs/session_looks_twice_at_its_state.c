// Two looks at a field of a session differ where another of its handlers writes between them.
// CONFLICT session: on_check on_check: s->odd
// CONFLICT session: on_check on_change: s->state
// CONFLICT session: on_change on_change: s->state
#include "server.h"

struct s {
  int state, odd;
};

HANDLER(on_check) {
  UNUSED;
  struct s* p = arg;
  int was = p->state;
  if (p->state != was) p->odd++;
}

HANDLER(on_change) {
  UNUSED;
  struct s* p = arg;
  p->state++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i += 2) {
    struct s* one = calloc(1, sizeof *one);
    when_readable(i, on_check, one);
    when_readable(i + 1, on_change, one);
  }
  return event_base_dispatch(base);
}
