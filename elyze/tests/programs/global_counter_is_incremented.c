// A plain global counter: the increment is a read and a write, so even one handler conflicts with itself.
// CONFLICT always: on_a on_a: counter
// CONFLICT always: on_a on_b: counter
// SAFE: on_b on_b
// SAFE: on_a on_c
// SAFE: on_b on_c
// SAFE: on_c on_c

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static int counter;

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  counter++;
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d so far\n", counter);
}

static void on_c(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts("alive");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_c, NULL), &second);
  return event_base_dispatch(base);
}
