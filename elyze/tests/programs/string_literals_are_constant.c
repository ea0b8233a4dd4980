// A pointer to a literal is stored in the session; the literal itself is constant for everybody.
// CONFLICT session: on_start on_start: session->state
// CONFLICT session: on_start on_show: session->state
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  const char* state;
};

static void on_start(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  s->state = s->state == NULL ? "started" : "running";
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  printf("%s\n", s->state);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->state = "idle";
    event_add(event_new(base, -1, EV_PERSIST, on_start, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, s), &second);
  }
  return event_base_dispatch(base);
}
