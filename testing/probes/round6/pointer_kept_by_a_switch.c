// Pointer kept by a switch.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
static int held;
static long other;
HANDLER(on_a) {
  UNUSED;
  long *p = held ? &g : &other;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  held = (&g == (long *)&other) ? 0 : 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
