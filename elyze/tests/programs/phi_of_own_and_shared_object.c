// Where the count goes is decided at run time: to the session or to the global total.
// CONFLICT always: on_count on_count: total.n
// CONFLICT session: on_count on_own: counter->n
// SAFE: on_own on_own
// CONFLICT always: on_count on_total: total.n
// SAFE: on_own on_total
// SAFE: on_total on_total

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct counter {
  long n;
};

static struct counter total;

static void on_count(evutil_socket_t fd, short what, void* arg) {
  (void)fd;
  struct counter* c = what == EV_TIMEOUT ? arg : &total;
  c->n++;
}

static void on_own(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct counter* c = arg;
  printf("%ld\n", c->n);
}

static void on_total(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", total.n);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct counter* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_count, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_own, c), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_total, NULL), &second);
  return event_base_dispatch(base);
}
