// Each turn of the loop fills a fresh client and publishes it: the write at the top belongs to the next, unseen one.
// SAFE: on_refill on_refill
// SAFE: on_read on_refill
// CONFLICT session: on_read on_read: client->requests

#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};
static struct event_base* base;

struct client {
  long requests;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->requests++;
}

static void on_refill(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  for (int i = 0; i < 4; i++) {
    struct client* c = malloc(sizeof *c);
    c->requests = i;
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
  }
}

int main(void) {
  base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_refill, NULL), &second);
  return event_base_dispatch(base);
}
