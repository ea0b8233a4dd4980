// The handler assigns its own event to the next handler: a state machine by event_assign.
// CONFLICT session: on_greet on_greet: client->step
// CONFLICT session: on_greet on_serve: client->step
// CONFLICT session: on_serve on_serve: client->step

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  struct event step;
};

static void on_serve(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_add(&c->step, &second);
}

static void on_greet(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  event_assign(&c->step, event_get_base(&c->step), -1, 0, on_serve, c);
  event_add(&c->step, &second);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_assign(&c->step, base, -1, 0, on_greet, c);
    event_add(&c->step, &second);
  }
  return event_base_dispatch(base);
}
