// possible: jumped\nother\n=0
// Out of the loop into main, which then runs another base.
#include "p.h"
static jmp_buf out;
HANDLER(on_a) { UNUSED; take(20); longjmp(out, 1); }
HANDLER(other) { UNUSED; puts("other"); }
int main(void) {
  base = event_base_new();
  if (setjmp(out) == 0) {
    due(base, spare, NULL);
    due(base, on_a, NULL);
    event_base_dispatch(base);
  }
  puts("jumped");
  base = event_base_new();
  due(base, other, NULL);
  event_base_dispatch(base);
  return 0;
}
