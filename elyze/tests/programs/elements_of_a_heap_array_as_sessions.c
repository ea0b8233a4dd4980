// All sessions come from one allocation: each element is a session of its own.
// CONFLICT session: on_read on_read: client->bytes
// CONFLICT session: on_read on_show: client->bytes
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  int fd;
  long bytes;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->bytes++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%ld\n", c->bytes);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct client* clients = calloc(4, sizeof *clients);
  for (int i = 0; i < 4; i++) {
    event_add(event_new(base, -1, EV_PERSIST, on_read, &clients[i]), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, &clients[i]), &second);
  }
  return event_base_dispatch(base);
}
