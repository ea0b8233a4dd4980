// The event base is locked by the library. A loop that is to exit makes all calls that are due; one that is broken leaves
// out those behind the handler, so that one conflicts with every handler, as the flag beside it does.
// SAFE: on_interrupt on_interrupt
// CONFLICT always: on_interrupt on_terminate: event loop
// SAFE: on_interrupt on_tick
// CONFLICT always: on_terminate on_terminate: stopping
// CONFLICT always: on_terminate on_tick: stopping
// SAFE: on_tick on_tick

#include <event2/event.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static int stopping;

static void on_interrupt(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  event_base_loopexit(arg, NULL);
}

static void on_terminate(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  stopping = 1;
  event_base_loopbreak(arg);
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (!stopping) puts("tick");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(evsignal_new(base, SIGINT, on_interrupt, base), NULL);
  event_add(evsignal_new(base, SIGTERM, on_terminate, base), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
