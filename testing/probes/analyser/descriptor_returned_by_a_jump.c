// longjmp() carries a descriptor to where setjmp() returns.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include <setjmp.h>
#include "server.h"
static int out;
HANDLER(on_a) {
  UNUSED;
  jmp_buf back;
  int to = setjmp(back);
  if (to == 0) longjmp(back, out);
  send(to, "a", 1, 0);
  send(to, "a", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  send(out, "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  out = socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
