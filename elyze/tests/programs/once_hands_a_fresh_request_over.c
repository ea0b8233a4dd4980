// A request is filled and handed to event_base_once, which publishes it; its handler frees it.
// SAFE: on_tick on_tick
// SAFE: on_done on_tick
// CONFLICT session: on_done on_done: request

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};
static struct event_base* base;

struct request {
  int number;
};

static void on_done(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct request* r = arg;
  printf("%d\n", r->number);
  free(r);
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  struct request* r = malloc(sizeof *r);
  if (r == NULL) return;
  r->number = what;
  event_base_once(base, -1, EV_TIMEOUT, on_done, r, &second);
}

int main(void) {
  base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
