// The same as a callee's redirection, but the pointer is volatile and the callee jumps back.
// CONFLICT always: on_a on_a: shared
#include <setjmp.h>
#include "server.h"
struct session {
  long own;
};
static long shared;
static __attribute__((noinline)) void redirect(long* volatile* where, jmp_buf back) {
  *where = &shared;
  longjmp(back, 1);
}
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  long* volatile where = &s->own;
  jmp_buf back;
  if (setjmp(back) == 0) redirect(&where, back);
  (*where)++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
