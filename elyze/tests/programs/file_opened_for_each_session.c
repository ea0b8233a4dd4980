// Every session opens its own file: writes of two sessions go to two open files.
// CONFLICT session: on_write on_write: session->fd
// CONFLICT session: on_rewind on_write: session->fd
// CONFLICT session: on_rewind on_rewind: session->fd

#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

struct session {
  int fd;
};

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  if (write(s->fd, "x", 1) != 1) puts("lost");
}

static void on_rewind(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  lseek(s->fd, 0, SEEK_SET);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->fd = open("/tmp/data", O_RDWR);
    event_add(event_new(base, -1, EV_PERSIST, on_write, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_rewind, s), &second);
  }
  return event_base_dispatch(base);
}
