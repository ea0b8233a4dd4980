// Before it starts a helper the program closes all descriptors: those of sessions, too.
// CONFLICT always: on_close on_close
// CONFLICT always: on_close on_read
// CONFLICT session: on_read on_read
#include "server.h"
struct session {
  int fd;
  char byte;
};
HANDLER(on_close) {
  UNUSED;
  for (int i = (int)sysconf(_SC_OPEN_MAX); i > 2; i--) close(i);
}
HANDLER(on_read) {
  struct session* s = arg;
  UNUSED;
  if (recv(s->fd, &s->byte, 1, 0) == 1) send(s->fd, &s->byte, 1, 0);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    when_readable(i, on_read, s);
  }
  when_readable(9, on_close, NULL);
  return event_base_dispatch(base);
}
