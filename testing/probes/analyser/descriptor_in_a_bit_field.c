// A descriptor is kept in a bit-field.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
static struct {
  unsigned open : 1;
  int fd : 20;
} target;
HANDLER(on_a) {
  UNUSED;
  if (send(target.fd, "a", 1, 0) == 1) send(target.fd, "a", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  send(target.fd, "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  target.open = 1;
  target.fd = socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
