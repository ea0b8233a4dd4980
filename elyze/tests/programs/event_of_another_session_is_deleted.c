// Deleting the peer's event is a write into the peer's session.
// CONFLICT always: on_close on_close: end->timer
// CONFLICT always: on_close on_tick: end->timer
// CONFLICT session: on_tick on_tick: end->timer

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct end {
  struct end* peer;
  struct event timer, close;
};

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct end* e = arg;
  event_add(&e->timer, &second);
}

static void on_close(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct end* e = arg;
  event_del(&e->timer);
  event_del(&e->peer->timer);
}

static struct end* end_new(struct event_base* base) {
  struct end* e = calloc(1, sizeof *e);
  event_assign(&e->timer, base, -1, 0, on_tick, e);
  event_assign(&e->close, base, -1, 0, on_close, e);
  return e;
}

static void start(struct end* e, struct end* peer) {
  e->peer = peer;
  event_add(&e->timer, &second);
  event_add(&e->close, &second);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct end *left = end_new(base), *right = end_new(base);
    start(left, right);
    start(right, left);
  }
  return event_base_dispatch(base);
}
