// A zero-width bit-field ends the memory location: what follows is another object.
// CONFLICT always: on_pause on_pause: flags.paused
// SAFE: on_pause on_drain
// CONFLICT always: on_drain on_drain: flags.draining

#include <event2/event.h>
#include <stddef.h>

static const struct timeval second = {1, 0};

static struct {
  unsigned paused : 1;
  unsigned : 0;
  unsigned draining : 1;
} flags;

static void on_pause(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  flags.paused = 1;
}

static void on_drain(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  flags.draining = 1;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_pause, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_drain, NULL), &second);
  return event_base_dispatch(base);
}
