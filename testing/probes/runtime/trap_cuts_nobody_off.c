// possible: (B1\nB2\n)?=-(4|5)
// A ends by a trap, before B or after it: B's two records come both or not at all.
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  take(60);
  __builtin_trap();
}
HANDLER(on_b) {
  UNUSED;
  puts("B1");
  take(200);
  fputs("B2\n", stderr);
}
int main(void) {
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
