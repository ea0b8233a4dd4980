// The address of a global travels as an integer with a tag bit in it.
// CONFLICT always: on_tagged on_tagged: shared
// CONFLICT always: on_plain on_tagged: shared
// SAFE: on_plain on_plain

#include <event2/event.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  uintptr_t tagged;
};

static long shared;

static void on_tagged(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct session* s = arg;
  if (s->tagged & 1) ++*(long*)(s->tagged & ~(uintptr_t)1);
}

static void on_plain(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", shared);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->tagged = (uintptr_t)&shared | 1;
    event_add(event_new(base, -1, EV_PERSIST, on_tagged, s), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_plain, NULL), &second);
  return event_base_dispatch(base);
}
