// Session number is folded.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static long g[2];
HANDLER(on_a) {
  UNUSED;
  g[(size_t)arg & 1]++;
}
HANDLER(on_b) {
  UNUSED;
  g[(size_t)arg & 1]++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, (void*)1);
  when_readable(4, on_b, (void*)3);
  return event_base_dispatch(base);
}
