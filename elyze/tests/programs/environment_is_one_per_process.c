// setenv changes the environment that getenv reads.
// CONFLICT always: on_set on_set: environment
// CONFLICT always: on_get on_set: environment
// CONFLICT always: on_get on_get: looked_up

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};
static long looked_up;

static void on_set(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  setenv("TZ", "UTC", 1);
}

static void on_get(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const char* zone = getenv("TZ");
  printf("%s\n", zone == NULL ? "none" : zone);
  looked_up++;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_set, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_get, NULL), &second);
  return event_base_dispatch(base);
}
