// Pointer bytes by snprintf.
// CONFLICT always: on_a on_b: g
#include "server.h"

static long g;
static char held[9];
HANDLER(on_a) {
  UNUSED;
  long* p;
  memcpy(&p, held, sizeof p);
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  long* q = &g;
  snprintf(held, sizeof held, "%.8s", (char*)&q);
  if (memcmp(held, &q, 6) != 0) return 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
