// Walk backwards.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static long g[4];
HANDLER(on_a) {
  UNUSED;
  for (long *p = g + 4; p != g;) *--p = 0;
}
HANDLER(on_b) {
  UNUSED;
  g[0]++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
