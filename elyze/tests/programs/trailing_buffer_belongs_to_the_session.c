// The buffer follows the session in the same allocation.
// CONFLICT session: on_read on_read: client->data
// CONFLICT session: on_read on_show: client->data
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};

struct client {
  size_t size;
  char data[];
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  memset(c->data, 'x', c->size);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%c\n", c->data[0]);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (size_t size = 16; size <= 32; size *= 2) {
    struct client* c = calloc(1, sizeof *c + size);
    c->size = size;
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, c), &second);
  }
  return event_base_dispatch(base);
}
