/* So does a loop that a handler runs. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static struct event_base* b2;
static int p[2];
HANDLER(on_p) {
  UNUSED;
  char c;
  if (read(p[0], &c, 1)) note("P");
}
HANDLER(on_a) {
  UNUSED;
  note("A");
}
HANDLER(on_h) {
  UNUSED;
  event_base_dispatch(b2);
  note("o");
}

int main(void) {
  base = event_base_new(), b2 = event_base_new();
  event_base_priority_init(b2, 2);
  if (pipe(p) || write(p[1], "x", 1) != 1) return 1;
  struct event* e = event_new(b2, p[0], EV_READ, on_p, NULL);
  event_priority_set(e, 0), event_add(e, NULL);
  due(b2, on_a, NULL);
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
