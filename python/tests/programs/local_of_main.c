// What main keeps on its stack and hands to handlers goes by its name, with optimised builds too.
// CAUSE shared local limits: split-handler
#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>

static void on_low(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what;
  int *limit = arg;
  if (*limit > 0) *limit = rand();
}

static void on_high(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what;
  int *limit = arg;
  if (limit[-1] > 0) limit[-1] = rand();
}

int main(void) {
  struct event_base *base = event_base_new();
  int limits[2] = {1, 1};
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_low, &limits[0]), NULL);
  event_add(event_new(base, 1, EV_READ | EV_PERSIST, on_high, &limits[1]), NULL);
  return event_base_dispatch(base);
}
