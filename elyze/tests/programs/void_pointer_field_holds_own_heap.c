// The session's state hides behind a void pointer; it is the session's own all the same.
// CONFLICT session: on_read on_read: state->n
// CONFLICT session: on_read on_show: state->n
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct state {
  long n;
};

struct session {
  void* user;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  struct state* state = s->user;
  state->n++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  printf("%ld\n", ((const struct state*)s->user)->n);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->user = calloc(1, sizeof(struct state));
    event_add(event_new(base, -1, EV_PERSIST, on_read, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, s), &second);
  }
  return event_base_dispatch(base);
}
