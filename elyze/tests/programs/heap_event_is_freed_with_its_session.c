// The event of event_new belongs to the session that holds it; event_free writes the whole event.
// CONFLICT session: on_close on_close: client
// CONFLICT session: on_close on_tick: client->timer
// CONFLICT session: on_tick on_tick: client->timer

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  struct event* timer;
};

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_add(c->timer, &second);
}

static void on_close(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_free(c->timer);
  free(c);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->timer = event_new(base, -1, 0, on_tick, c);
    event_add(c->timer, &second);
    event_base_once(base, -1, EV_TIMEOUT, on_close, c, &second);
  }
  return event_base_dispatch(base);
}
