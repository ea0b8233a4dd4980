// A buffer that is allocated for one session and stored nowhere else belongs to it.
// CONFLICT session: on_read on_read: client->buffer
// CONFLICT session: on_read on_write: client->buffer
// SAFE: on_write on_write

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  char* buffer;
};

static struct client* client_new(void) {
  struct client* c = calloc(1, sizeof *c);
  c->buffer = malloc(512);
  c->buffer[0] = '\0';
  return c;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd;
  struct client* c = arg;
  snprintf(c->buffer, 512, "%d", (int)what);
}

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%s\n", c->buffer);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = client_new();
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_write, c), &second);
  }
  return event_base_dispatch(base);
}
