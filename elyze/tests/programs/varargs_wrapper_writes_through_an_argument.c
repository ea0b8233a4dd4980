// The pointer arrives among the variable arguments; what it points to is written.
// CONFLICT session: on_read on_read: session->value
// CONFLICT session: on_read on_show: session->value
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  int value;
};

static void assign(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  for (int i = 0; i < count; i++) *va_arg(arguments, int*) = i;
  va_end(arguments);
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  assign(1, &s->value);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  printf("%d\n", s->value);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_read, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, s), &second);
  }
  return event_base_dispatch(base);
}
