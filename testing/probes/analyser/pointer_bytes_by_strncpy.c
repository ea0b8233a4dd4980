// Pointer bytes by strncpy.
// CONFLICT always: on_a on_b: held
#include "server.h"

static long g;
static char held[8];
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
  strncpy(held, (char*)&q, sizeof held);
  if (memcmp(held, &q, sizeof held) != 0) return 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
