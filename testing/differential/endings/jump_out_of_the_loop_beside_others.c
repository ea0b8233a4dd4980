/* A handler jumps out of the loop beside others: nothing more is called. */
#include <setjmp.h>

#include "small.h"

static jmp_buf out;
static int calls;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_jump) {
  UNUSED;
  take(20);
  longjmp(out, 1);
}
HANDLER(on_other) {
  UNUSED;
  take(10);
  __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}

int main(void) {
  base = event_base_new();
  due(base, on_spare, NULL);
  for (int i = 0; i < 4; ++i) due(base, on_other, NULL);
  due(base, on_jump, NULL);
  for (int i = 0; i < 30; ++i) due(base, on_other, NULL);
  const int jumped = setjmp(out);
  if (jumped == 0) event_base_dispatch(base);
  const int before = __atomic_load_n(&calls, __ATOMIC_RELAXED);
  take(200);
  printf("jumped %d, then %d calls\n", jumped, __atomic_load_n(&calls, __ATOMIC_RELAXED) - before);
  return 0;
}
