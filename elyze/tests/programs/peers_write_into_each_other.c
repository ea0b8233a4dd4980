// Two sessions of one type are peers: each counts for itself and for the other one.
// CONFLICT always: on_read on_read: end->bytes
// CONFLICT always: on_read on_show: end->bytes
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct end {
  struct end* peer;
  long bytes;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct end* e = arg;
  e->bytes++;
  e->peer->bytes++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct end* e = arg;
  printf("%ld\n", e->bytes);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct end *left = calloc(1, sizeof *left), *right = calloc(1, sizeof *right);
    left->peer = right;
    right->peer = left;
    event_add(event_new(base, -1, EV_PERSIST, on_read, left), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_read, right), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, left), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, right), &second);
  }
  return event_base_dispatch(base);
}
