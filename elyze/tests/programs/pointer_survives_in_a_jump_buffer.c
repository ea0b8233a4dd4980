// A volatile local pointer is changed between setjmp() and longjmp() in a helper that gets its address.
// CONFLICT always: on_a on_a: shared
// CONFLICT always: on_a on_b: shared
// CONFLICT always: on_b on_b: shared
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
HANDLER(on_b) {
  UNUSED;
  shared++;
}

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->own = 1;
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
