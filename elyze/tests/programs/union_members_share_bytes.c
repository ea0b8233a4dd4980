// Members of a union are the same bytes under two names.
// CONFLICT session: on_number on_number: session->value
// CONFLICT session: on_number on_text: session->value
// SAFE: on_text on_text

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  int kind;
  union {
    long number;
    char text[8];
  } value;
};

static void on_number(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  s->value.number = 7;
}

static void on_text(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  printf("%c\n", s->value.text[0]);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_number, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_text, s), &second);
  }
  return event_base_dispatch(base);
}
