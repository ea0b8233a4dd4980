// A global pointer whose initialiser holds an address: the write through it is a write to the named object.
// CONFLICT always: on_a on_a: primary
// CONFLICT always: on_a on_b: primary
// CONFLICT always: on_b on_b: primary
// SAFE: on_a on_c
// SAFE: on_b on_c
// CONFLICT always: on_c on_c: secondary

#include <event2/event.h>
#include <stddef.h>

static const struct timeval second = {1, 0};
static int primary, secondary;
static int* const current = &primary;

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  ++*current;
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  primary = 0;
}

static void on_c(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  secondary++;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_c, NULL), &second);
  return event_base_dispatch(base);
}
