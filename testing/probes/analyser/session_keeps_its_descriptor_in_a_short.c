// Two handlers of a session use its socket, the number of which is kept in 16 bits.
// CONFLICT session: on_a on_b
// CONFLICT session: on_a on_a
// CONFLICT session: on_b on_b
#include "server.h"
struct session {
  short fd;
};
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  if (send(s->fd, "a", 1, 0) == 1) send(s->fd, "a", 1, 0);
}
HANDLER(on_b) {
  struct session* s = arg;
  UNUSED;
  send(s->fd, "b", 1, 0);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->fd = (short)socket(AF_INET, SOCK_STREAM, 0);
    when_readable(i, on_a, s);
    when_readable(i + 10, on_b, s);
  }
  return event_base_dispatch(base);
}
