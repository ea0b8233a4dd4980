// A wrapper calls a wrapper, and the inner one is also used directly.
// CONFLICT always: on_a on_a: a
// SAFE: on_a on_b
// CONFLICT always: on_b on_b: b

#include <event2/event.h>
#include <stddef.h>
#include <unistd.h>

static struct event_base* base;
static int a, b;

static void watch(evutil_socket_t fd, short events, event_callback_fn callback, int* counter) {
  event_add(event_new(base, fd, events | EV_PERSIST, callback, NULL), NULL);
  *counter = 0;
}

static void watch_input(event_callback_fn callback, int* counter) { watch(STDIN_FILENO, EV_READ, callback, counter); }

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  a++;
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  b++;
}

int main(void) {
  base = event_base_new();
  watch_input(on_a, &a);
  watch(STDIN_FILENO + 1, EV_WRITE, on_b, &b);
  return event_base_dispatch(base);
}
