// Volatile orders nothing between threads: it counts as a plain access.
// CONFLICT always: on_stop on_stop: stopping
// CONFLICT always: on_stop on_work: stopping
// SAFE: on_work on_work

#include <event2/event.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static volatile int stopping;

static void on_stop(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  stopping = 1;
}

static void on_work(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (!stopping) puts("working");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(evsignal_new(base, SIGTERM, on_stop, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_work, NULL), &second);
  return event_base_dispatch(base);
}
