// An array is one object by definition, even when each handler has an index of its own.
// CONFLICT always: on_a on_a: hits
// CONFLICT always: on_a on_b: hits
// CONFLICT always: on_b on_b: hits

#include <event2/event.h>
#include <stddef.h>

static const struct timeval second = {1, 0};
static int hits[2];

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  hits[0]++;
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  hits[1]++;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
