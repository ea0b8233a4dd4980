// memset over a whole structure writes the field that another handler reads by name.
// CONFLICT always: on_reset on_reset: stats
// CONFLICT always: on_reset on_show: stats.bytes
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct timeval second = {1, 0};

static struct {
  long requests;
  long bytes;
} stats;

static void on_reset(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  memset(&stats, 0, sizeof stats);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld bytes\n", stats.bytes);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_reset, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
