// Two numbers of 32 bits are returned in one register: a descriptor is in its upper half.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
struct target {
  int kind;
  int fd;
};
static struct target target;
static __attribute__((noinline)) struct target chosen(void) { return target; }
HANDLER(on_a) {
  UNUSED;
  struct target to = chosen();
  if (send(to.fd, "a", 1, 0) == 1) send(to.fd, "a", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  struct target to = chosen();
  send(to.fd, "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  target.kind = 1;
  target.fd = socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
