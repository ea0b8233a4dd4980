// Atomic structure is large.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static _Atomic struct big { long v[5]; } g;
HANDLER(on_a) {
  UNUSED;
  struct big b = g;
  b.v[1]++;
  g = b;
}
HANDLER(on_b) {
  UNUSED;
  struct big b = g;
  b.v[0]++;
  g = b;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
