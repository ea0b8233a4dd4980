// possible: jumped\n\[warn\] event_base_loop: reentrant invocation\.  Only one event_base_loop can run on each event_base at once\.\n-1\n=0
#include "p.h"
static jmp_buf out;
HANDLER(on_a) { UNUSED; take(20); longjmp(out, 1); }
int main(void) {
  base = event_base_new();
  if (setjmp(out) == 0) {
    due(base, spare, NULL);
    due(base, on_a, NULL);
    event_base_dispatch(base);
  }
  puts("jumped");
  printf("%d\n", event_base_loop(base, EVLOOP_NONBLOCK));
  return 0;
}
