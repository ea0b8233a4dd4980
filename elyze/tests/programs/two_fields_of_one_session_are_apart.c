// Handlers of one session that stay with fields of their own may run at once even for the same session.
// CONFLICT session: on_read on_read: client->in
// SAFE: on_read on_write
// CONFLICT session: on_write on_write: client->out

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  long in;
  long out;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->in++;
}

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->out++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_write, c), &second);
  }
  return event_base_dispatch(base);
}
