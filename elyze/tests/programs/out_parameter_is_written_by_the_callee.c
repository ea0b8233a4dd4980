// The same parser fills a local, a field of the session or a global, as its caller says.
// SAFE: on_local on_local
// SAFE: on_field on_local
// SAFE: on_global on_local
// CONFLICT session: on_field on_field: session->value
// SAFE: on_field on_global
// CONFLICT always: on_global on_global: limit

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  int value;
};

static int limit;

static int parse(const char* text, int* out) {
  *out = atoi(text);
  return *out > 0;
}

static void on_local(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  int value;
  if (parse("1", &value)) printf("%d\n", value);
}

static void on_field(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  parse("2", &s->value);
}

static void on_global(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  parse("3", &limit);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_field, s), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_local, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_global, NULL), &second);
  return event_base_dispatch(base);
}
