// A helper that returns its own static buffer: its callers share the bytes without naming them.
// CONFLICT always: on_a on_a: hex.text
// CONFLICT always: on_a on_b: hex.text
// CONFLICT always: on_b on_b: hex.text

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

static const char* hex(unsigned value) {
  static char text[16];
  snprintf(text, sizeof text, "%08x", value);
  return text;
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts(hex(1));
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts(hex(2));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
