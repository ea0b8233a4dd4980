// The event is its own session: adding it again writes nothing but itself.
// IMPRECISE: on_tick on_tick: session
// IMPRECISE: on_show on_tick: never
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  event_add(arg, &second);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts("alive");
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) event_add(event_new(base, -1, 0, on_tick, event_self_cbarg()), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
