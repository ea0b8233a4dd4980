// A session keeps its descriptor and its event; the descriptor is written to after the event is added.
// CONFLICT always: on_accept on_ready
#include "server.h"

struct session {
  int fd;
  struct event event;
};
HANDLER(on_ready) {
  UNUSED;
  struct session *s = arg;
  char byte;
  if (read(s->fd, &byte, 1) != 1) return;
}
HANDLER(on_accept) {
  UNUSED;
  struct session *s = calloc(1, sizeof *s);
  int made = accept(fd, NULL, NULL);
  s->fd = made;
  event_assign(&s->event, base, made, EV_READ, on_ready, s);
  event_add(&s->event, NULL);
  if (write(made, "x", 1) != 1) return;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  return event_base_dispatch(base);
}
