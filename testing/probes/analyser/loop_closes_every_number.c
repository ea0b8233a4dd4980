// A handler closes all descriptors by counting: those of the sessions, too.
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
  for (int i = 3; i < 1024; i++) shutdown(i, SHUT_RDWR);
}
HANDLER(on_read) {
  struct session* s = arg;
  UNUSED;
  if (recv(s->fd, &s->byte, 1, 0) == 1) send(s->fd, &s->byte, 1, 0);
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 4; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    event_add(event_new(base, s->fd, EV_READ | EV_PERSIST, on_read, s), NULL);
  }
  when_readable(3, on_close, NULL);
  return event_base_dispatch(base);
}
