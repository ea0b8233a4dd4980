/* A handler runs the loop of another base, whose handler jumps back into it. */
#include <setjmp.h>

#include "small.h"

static jmp_buf out;
static struct event* within;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_jump) {
  UNUSED;
  longjmp(out, 1);
}
HANDLER(on_outer) {
  UNUSED;
  struct event_base* const inner = event_base_new();
  due(inner, on_spare, NULL);
  within = due(inner, on_jump, NULL);
  if (setjmp(out) == 0) event_base_dispatch(inner);
  event_free(within);
  event_base_free(inner);
  puts("left");
}
HANDLER(on_later) {
  UNUSED;
  puts("later");
}

int main(void) {
  base = event_base_new();
  due(base, on_spare, NULL);
  due(base, on_outer, NULL);
  due_in(300, on_later, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
