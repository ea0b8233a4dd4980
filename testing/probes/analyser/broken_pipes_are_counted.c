// A write to a broken pipe calls the function for SIGPIPE before it returns.
// CONFLICT always: on_a on_a: broken
// CONFLICT always: on_a on_b: broken
// CONFLICT always: on_b on_b: broken
#include <signal.h>
#include "server.h"
struct session {
  int fd;
};
static long broken;
static void count(int number) {
  (void)number;
  broken++;
}
HANDLER(on_a) {
  struct session* s = arg;
  UNUSED;
  send(s->fd, "x", 1, 0);
}
HANDLER(on_b) {
  UNUSED;
  broken++;
}
int main(void) {
  signal(SIGPIPE, count);
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    when_readable(i, on_a, s);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
