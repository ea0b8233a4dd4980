// Cleanup writes at the end.
// CONFLICT: always: on_a on_b: g
#include "server.h"
static long g;
static void done(long **p) {
  (**p)++;
}
HANDLER(on_a) {
  UNUSED;
  __attribute__((cleanup(done))) long *p = &g;
  (void)p;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
