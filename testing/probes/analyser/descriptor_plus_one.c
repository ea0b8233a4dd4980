// Descriptors are kept plus one, so that zero stands for none.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
static int out;
HANDLER(on_a) {
  UNUSED;
  if (out == 0) return;
  send(out - 1, "a", 1, 0);
  send(out - 1, "a", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  if (out != 0) send(out - 1, "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) return 1;
  out = fds[0] + 1;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
