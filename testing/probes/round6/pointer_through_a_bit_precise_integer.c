// Pointer through a bit precise integer.
// CONFLICT: always: on_a on_b: g
#include "server.h"

static long g;
static unsigned _BitInt(80) held;
HANDLER(on_a) {
  UNUSED;
  long *p = (long *)(unsigned long)(held >> 9);
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  held = ((unsigned _BitInt(80))(unsigned long)&g) << 9;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
