// One bit decides which object.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static long g, h;
static long *tab[2];
HANDLER(on_a) {
  UNUSED;
  tab[(int)(((unsigned long)arg >> 60) & 1)][0]++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  tab[0] = &g;
  tab[1] = &h;
  when_readable(3, on_a, &h);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
