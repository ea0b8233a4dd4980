// The second field is reached by stepping over the first one.
// CONFLICT session: on_step on_step: session->second_value
// CONFLICT session: on_show on_step: session->second_value
// SAFE: on_show on_show
// SAFE: on_first on_step
// SAFE: on_first on_show
// CONFLICT session: on_first on_first: session->first_value

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  int first_value;
  int second_value;
};

static void on_step(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  int* at = arg;
  at++;
  ++*at;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  printf("%d\n", s->second_value);
}

static void on_first(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  s->first_value++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_step, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_first, s), &second);
  }
  return event_base_dispatch(base);
}
