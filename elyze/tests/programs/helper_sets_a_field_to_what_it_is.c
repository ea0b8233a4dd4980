// A helper stores back what was there, which undoes what came between.
// CONFLICT always: on_keep on_keep: s.a
// CONFLICT always: on_keep on_count: s.a
// CONFLICT always: on_count on_count: s.a
#include "server.h"

struct s {
  int a, b;
};
static struct s s;
static void keep(struct s* p) {
  p->a = p->a;
  p->b = 1;
}

HANDLER(on_keep) {
  UNUSED;
  keep(&s);
}

HANDLER(on_count) {
  UNUSED;
  s.a++;
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_keep, NULL);
  when_readable(4, on_count, NULL);
  return event_base_dispatch(base);
}
