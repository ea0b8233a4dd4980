// Clients wake one worker that they share: event_active writes the worker's event.
// CONFLICT always: on_client on_client: worker->wake
// SAFE: on_client on_worker
// CONFLICT session: on_worker on_worker: worker->runs

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct worker {
  struct event wake;
  long runs;
};

struct client {
  struct worker* worker;
};

static void on_worker(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct worker* w = arg;
  w->runs++;
}

static void on_client(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_active(&c->worker->wake, EV_TIMEOUT, 0);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct worker* w = calloc(1, sizeof *w);
  event_assign(&w->wake, base, -1, EV_PERSIST, on_worker, w);
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->worker = w;
    event_add(event_new(base, -1, EV_PERSIST, on_client, c), &second);
  }
  return event_base_dispatch(base);
}
