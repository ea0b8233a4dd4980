// Comparison keeps a pointer.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static long g;
static long *seen;
static int cmp(const void *a, const void *b) {
  seen = *(long *const *)a;
  return (a > b) - (a < b);
}
static long *tab[2] = {&g, &g};
HANDLER(on_a) {
  UNUSED;
  (*seen)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  bsearch(tab, tab, 2, sizeof *tab, cmp);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
