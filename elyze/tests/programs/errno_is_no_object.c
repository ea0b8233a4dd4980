// errno is one per thread and set by nearly everything: it orders nothing.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <errno.h>
#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

static long number(const char* text) {
  errno = 0;
  long value = strtol(text, NULL, 10);
  return errno == 0 ? value : -1;
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", number("17"));
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", number("x"));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
