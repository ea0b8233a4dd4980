/* A handler fills the pipe of an event of a better priority: what is due in the pass goes first. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static int p[2];
HANDLER(on_p) {
  UNUSED;
  char c;
  if (read(p[0], &c, 1)) note("P");
}
HANDLER(on_a) {
  UNUSED;
  note("A");
  if (write(p[1], "x", 1)) take(40);
}
HANDLER(on_b) {
  UNUSED;
  note("B");
}

int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  if (pipe(p)) return 1;
  struct event* e = event_new(base, p[0], EV_READ, on_p, NULL);
  event_priority_set(e, 0), event_add(e, NULL);
  due(base, on_a, NULL), due(base, on_b, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
