// The place is in a local variable, but of the function that runs the loop.
#include <setjmp.h>

#include "server.h"

static jmp_buf *out;
static int left;

HANDLER(on_leave) {
  UNUSED;
  if (left == 0) longjmp(*out, 1);
}
// PINNED: on_leave by longjmp

HANDLER(on_stay) { UNUSED; }
// ANY THREAD: on_stay
// SAFE: on_stay on_stay

int main(void) {
  base = event_base_new();
  jmp_buf here;
  out = &here;
  when_readable(3, on_leave, NULL);
  when_readable(4, on_stay, NULL);
  if (setjmp(here) != 0) left = 1;
  return event_base_dispatch(base);
}
