// A paused socket is kept as the complement of its number.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
static int out;
HANDLER(on_a) {
  UNUSED;
  if (out >= 0) return;
  if (send(~out, "a", 1, 0) == 1) send(~out, "a", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  shutdown(out < 0 ? ~out : out, SHUT_RDWR);
}

int main(void) {
  base = event_base_new();
  out = ~socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
