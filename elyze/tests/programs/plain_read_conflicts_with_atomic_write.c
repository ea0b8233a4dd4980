// One atomic side is not enough: the builtin acts on a plain variable that the other handler reads plainly.
// SAFE: on_count on_count
// CONFLICT always: on_count on_show: requests
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static long requests;

static void on_count(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  __atomic_fetch_add(&requests, 1, __ATOMIC_RELAXED);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", requests);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_count, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
