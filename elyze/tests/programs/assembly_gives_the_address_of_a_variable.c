// Before the loop, assembly names a variable and gives its address.
#include "server.h"

__attribute__((visibility("hidden"))) long count;
static long *where;
HANDLER(on_a) {
  UNUSED;
  ++*where;
}
HANDLER(on_b) {
  UNUSED;
  count += 2;
}
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: count

int main(void) {
  base = event_base_new();
  __asm__("leaq count(%%rip), %0" : "=r"(where));
  for (int i = 3; i < 5; i++) when_readable(i, on_a, NULL);
  for (int i = 5; i < 7; i++) when_readable(i, on_b, NULL);
  return event_base_dispatch(base);
}
