// dup makes a new number for the same open file: two sessions with numbers of their own share its offset.
// CONFLICT always: on_write on_write: session->fd
// SAFE: on_show on_show
// SAFE: on_show on_write

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

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  printf("descriptor %d\n", s->fd);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct session *first = calloc(1, sizeof *first), *last = calloc(1, sizeof *last);
  first->fd = open("/tmp/data", O_RDWR);
  last->fd = dup(first->fd);
  event_add(event_new(base, -1, EV_PERSIST, on_write, first), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_write, last), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, first), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, last), &second);
  return event_base_dispatch(base);
}
