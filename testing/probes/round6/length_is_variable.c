// Length is variable.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static struct { long a, b; } g;
static volatile size_t n = 16;
HANDLER(on_a) {
  UNUSED;
  memset((char *)&g, 0, n);
}
HANDLER(on_b) {
  UNUSED;
  g.b++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
