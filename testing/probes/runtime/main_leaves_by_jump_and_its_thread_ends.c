// possible: jumped\n=0
// A handler jumps out of the loop; then main ends its thread, the last one: the process ends.
#include "p.h"
static jmp_buf out;
HANDLER(on_jump) {
  UNUSED;
  take(20);
  longjmp(out, 1);
}
HANDLER(on_other) {
  UNUSED;
  take(10);
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  for (int j = 0; j < 4; ++j) due(base, on_other, NULL);
  due(base, on_jump, NULL);
  if (setjmp(out) == 0) event_base_dispatch(base);
  puts("jumped");
  pthread_exit(NULL);
}
