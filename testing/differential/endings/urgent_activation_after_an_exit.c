/* The same with a handler that activates an event of a better priority. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static struct event* u;
HANDLER(on_x) {
  UNUSED;
  note("X");
  event_active(u, EV_READ, 1);
}
HANDLER(on_y) {
  UNUSED;
  note("Y");
}
HANDLER(on_u) {
  UNUSED;
  note("U");
}

int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  u = event_new(base, -1, 0, on_u, NULL);
  event_priority_set(u, 0);
  due(base, on_spare, NULL);
  event_base_loopexit(base, NULL);
  due(base, on_x, NULL), due(base, on_y, NULL);
  event_base_dispatch(base);
  note(".");
  event_base_dispatch(base);
  puts(order);
  return 0;
}
