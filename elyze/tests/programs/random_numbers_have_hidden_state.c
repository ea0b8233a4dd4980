// rand advances a generator of the library, rand_r the session's own seed.
// CONFLICT always: on_shared on_shared: hidden state of rand
// SAFE: on_own on_shared
// CONFLICT session: on_own on_own: session->seed

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  unsigned seed;
};

static void on_shared(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", rand());
}

static void on_own(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  printf("%d\n", rand_r(&s->seed));
}

int main(void) {
  struct event_base* base = event_base_new();
  for (unsigned i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->seed = i;
    event_add(event_new(base, -1, EV_PERSIST, on_own, s), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_shared, NULL), &second);
  return event_base_dispatch(base);
}
