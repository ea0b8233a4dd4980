// Bit-fields that share a memory location are written by reading and writing the whole unit, so they are one object.
// CONFLICT always: on_pause on_pause: flags
// CONFLICT always: on_pause on_drain: flags
// CONFLICT always: on_drain on_drain: flags
// SAFE: on_pause on_level
// SAFE: on_drain on_level
// CONFLICT always: on_level on_level: flags.level

#include <event2/event.h>
#include <stddef.h>

static const struct timeval second = {1, 0};

static struct {
  unsigned paused : 1;
  unsigned draining : 1;
  int level;
} flags;

static void on_pause(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  flags.paused = 1;
}

static void on_drain(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  flags.draining = 1;
}

static void on_level(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  flags.level++;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_pause, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_drain, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_level, NULL), &second);
  return event_base_dispatch(base);
}
