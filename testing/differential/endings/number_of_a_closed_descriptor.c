/* A handler closes a descriptor and then frees its event, which is harmless on one thread. In between, another handler
   waits for something that has got the number. */
#include <sys/socket.h>

#include "small.h"

struct session {
  int fd;
  struct event* event;
};

HANDLER(on_never) { UNUSED; }
HANDLER(on_close) {
  (void)fd, (void)what;
  struct session* session = arg;
  close(session->fd);
  take(100);
  event_free(session->event);
}
HANDLER(on_got) {
  (void)what, (void)arg;
  char byte;
  if (read(fd, &byte, 1) == 1) say("got\n");
}
HANDLER(on_open) {
  UNUSED;
  int end[2];
  take(40);
  if (pipe(end) != 0) return;
  event_add(event_new(base, end[0], EV_READ | EV_PERSIST, on_got, NULL), NULL);
  if (write(end[1], "x", 1) != 1) say("not written\n");
}

int main(void) {
  struct session* session = calloc(1, sizeof *session);
  int old[2];
  struct timeval time = {0, 400000};
  base = event_base_new();
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, old) != 0) return 2;
  session->fd = old[0];
  session->event = event_new(base, session->fd, EV_READ | EV_PERSIST, on_never, session);
  event_add(session->event, NULL);
  due(base, on_close, session);
  due(base, on_open, NULL);
  event_base_loopexit(base, &time);
  event_base_dispatch(base);
  return 0;
}
