// A handler makes an event of its own with event_new, adds it and forgets it: the base is locked, the event is fresh.
// SAFE: on_tick on_tick
// SAFE: on_later on_tick
// CONFLICT always: on_later on_later: later

#include <event2/event.h>
#include <stddef.h>

static const struct timeval second = {1, 0};
static int later;

static void on_later(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  later++;
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct event_base* base = arg;
  struct event* e = evtimer_new(base, on_later, NULL);
  if (e != NULL) evtimer_add(e, &second);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_tick, base), &second);
  return event_base_dispatch(base);
}
