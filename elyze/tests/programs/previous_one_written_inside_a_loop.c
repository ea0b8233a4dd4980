// The loop writes the client of the turn before, which has been published: the order of the lines does not show it.
// CONFLICT always: on_refill on_refill: refills
// CONFLICT always: on_read on_refill: client->requests
// CONFLICT session: on_read on_read: client->requests

#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};
static struct event_base* base;
static int refills;

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
  struct client* previous = NULL;
  int i = 0;
again:
  if (previous != NULL) previous->requests = 1;
  previous = calloc(1, sizeof *previous);
  event_add(event_new(base, -1, EV_PERSIST, on_read, previous), &second);
  if (++i < 4) goto again;
  refills++;
}

int main(void) {
  base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_refill, NULL), &second);
  return event_base_dispatch(base);
}
