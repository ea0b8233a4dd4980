// One buffer, two sessions: a field of the session that holds it proves nothing.
// CONFLICT always: on_read on_read: client->buffer
// CONFLICT always: on_read on_write: client->buffer
// SAFE: on_write on_write

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  char* buffer;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->buffer[0]++;
}

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%c\n", c->buffer[0]);
}

int main(void) {
  struct event_base* base = event_base_new();
  char* buffer = calloc(1, 512);
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->buffer = buffer;
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_write, c), &second);
  }
  return event_base_dispatch(base);
}
