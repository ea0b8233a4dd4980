// A direct field of the session is private to it: two sessions may run at once, the same one may not.
// CONFLICT session: on_read on_read: client->bytes
// CONFLICT session: on_read on_tick: client->bytes
// SAFE: on_tick on_tick

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

struct client {
  long bytes;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->bytes += 512;
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%ld bytes\n", c->bytes);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, c), NULL);
    event_add(event_new(base, -1, EV_PERSIST, on_tick, c), &second);
  }
  return event_base_dispatch(base);
}
