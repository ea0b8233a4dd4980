// Two numbers of 32 bits are passed in one register: a descriptor is in its upper half.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include "server.h"
struct target {
  int kind;
  int fd;
};
static struct target target;
static __attribute__((noinline)) void tell(struct target to, const char* text) {
  send(to.fd, text, 1, 0);
  send(to.fd, text, 1, 0);
}
HANDLER(on_a) {
  UNUSED;
  tell(target, "a");
}
HANDLER(on_b) {
  UNUSED;
  send(target.fd, "b", 1, 0);
}

int main(void) {
  base = event_base_new();
  target.kind = 1;
  target.fd = socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
