// The store back of what was there undoes what came between, for those who get the same session.
// CONFLICT session: on_keep on_keep: s->a
// CONFLICT session: on_keep on_count: s->a
// CONFLICT session: on_count on_count: s->a
#include "server.h"

struct s {
  int a, b;
};

HANDLER(on_keep) {
  UNUSED;
  struct s* p = arg;
  p->a = p->a;
  p->b = 1;
}

HANDLER(on_count) {
  UNUSED;
  struct s* p = arg;
  p->a++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i += 2) {
    struct s* one = calloc(1, sizeof *one);
    when_readable(i, on_keep, one);
    when_readable(i + 1, on_count, one);
  }
  return event_base_dispatch(base);
}
