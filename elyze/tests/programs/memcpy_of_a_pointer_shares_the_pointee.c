// The bytes of one pointer are copied into a session: an assignment that no assignment operator shows.
// CONFLICT always: on_a on_a: shared
// CONFLICT always: on_a on_b: shared
// SAFE: on_b on_b

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};

struct session {
  int* target;
};

static int shared;
static int* const source = &shared;

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  ++*s->target;
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", shared);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    memcpy(&s->target, &source, sizeof s->target);
    event_add(event_new(base, -1, EV_PERSIST, on_a, s), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
