// A static local keeps its value between invocations: it is a global that only one function can name.
// CONFLICT always: on_a on_a: next_id.last
// CONFLICT always: on_a on_b: next_id.last
// CONFLICT always: on_b on_b: next_id.last

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

static int next_id(void) {
  static int last;
  return ++last;
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("a is %d\n", next_id());
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("b is %d\n", next_id());
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
