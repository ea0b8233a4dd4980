/* A handler activates an event of a better priority: the loop looks again, and all of that priority goes first. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static int p[2];
static struct event* u;
HANDLER(on_p) {
  UNUSED;
  char c;
  if (read(p[0], &c, 1)) note("P");
}
HANDLER(on_a) {
  UNUSED;
  note("A");
  if (write(p[1], "x", 1)) event_active(u, EV_READ, 1);
}
HANDLER(on_b) {
  UNUSED;
  note("B");
}
HANDLER(on_u) {
  UNUSED;
  note("U");
}

int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  if (pipe(p)) return 1;
  struct event* e = event_new(base, p[0], EV_READ, on_p, NULL);
  event_priority_set(e, 0), event_add(e, NULL);
  u = event_new(base, -1, 0, on_u, NULL);
  event_priority_set(u, 0);
  due(base, on_a, NULL), due(base, on_b, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
