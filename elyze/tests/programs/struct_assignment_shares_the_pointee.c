// A session made by assigning another one to it shares what the other one points to.
// CONFLICT always: on_count on_count: session->counter
// SAFE: on_count on_show
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  long* counter;
  int id;
};

static void on_count(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  ++*s->counter;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  printf("%d\n", s->id);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct session* original = calloc(1, sizeof *original);
  original->counter = calloc(1, sizeof *original->counter);
  struct session* copy = calloc(1, sizeof *copy);
  *copy = *original;
  copy->id = 1;
  event_add(event_new(base, -1, EV_PERSIST, on_count, original), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_count, copy), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, original), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, copy), &second);
  return event_base_dispatch(base);
}
