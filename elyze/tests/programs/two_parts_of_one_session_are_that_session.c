// One handler is registered with either half of the session: which bytes it writes depends on the argument, whose they
// are does not.
// CONFLICT session: on_half on_half: half->bytes
// CONFLICT session: on_half on_tick: half->bytes
// SAFE: on_tick on_tick

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct half {
  int fd;
  long bytes;
};

struct relay {
  struct half client, server;
};

static void on_half(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct half* h = arg;
  h->bytes++;
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct relay* r = arg;
  printf("%ld %ld\n", r->client.bytes, r->server.bytes);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct relay* r = calloc(1, sizeof *r);
    event_add(event_new(base, -1, EV_PERSIST, on_half, &r->client), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_half, &r->server), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_tick, r), &second);
  }
  return event_base_dispatch(base);
}
