/* An exit leaves behind what its own pass has not found: a better priority that became ready meanwhile, and a worse
 * one. */
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
HANDLER(on_x) {
  UNUSED;
  note("X");
}
HANDLER(on_z) {
  UNUSED;
  note("Z");
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  if (write(p[1], "x", 1) != 1) return;
  take(60);
  event_base_loopexit(base, NULL);
  due(base, on_x, NULL);
}

int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 3);
  if (pipe(p)) return 1;
  struct event* e = event_new(base, p[0], EV_READ, on_p, NULL);
  event_priority_set(e, 0), event_add(e, NULL);
  struct event* z = event_new(base, -1, 0, on_z, NULL);
  event_priority_set(z, 2), event_active(z, EV_READ, 1);
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  note(".");
  event_base_dispatch(base);
  puts(order);
  return 0;
}
