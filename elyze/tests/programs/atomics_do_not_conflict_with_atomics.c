// Atomic accesses of one object need no order from the scheduler; both spellings count.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <stdatomic.h>
#include <stddef.h>

static const struct timeval second = {1, 0};
static atomic_int requests;

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed);
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  requests++;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
