// What is done about SIGPIPE is the process's: a handler ignores it for a while, another one writes.
// CONFLICT always: on_a on_b: signal handlers
// CONFLICT always: on_a on_a: signal handlers
// CONFLICT session: on_b on_b
#include <signal.h>
#include "server.h"
struct session {
  int fd;
};
HANDLER(on_a) {
  UNUSED;
  signal(SIGPIPE, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
}
HANDLER(on_b) {
  struct session* s = arg;
  UNUSED;
  if (write(s->fd, "x", 1) != 1) s->fd = -1;
}
int main(void) {
  signal(SIGPIPE, SIG_IGN);
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    when_readable(i, on_b, s);
  }
  when_readable(9, on_a, NULL);
  return event_base_dispatch(base);
}
