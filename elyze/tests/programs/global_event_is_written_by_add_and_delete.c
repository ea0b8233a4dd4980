// One global event, stopped by a signal and restarted by its own handler.
// CONFLICT always: on_tick on_tick: tick
// CONFLICT always: on_pause on_tick: tick
// CONFLICT always: on_pause on_pause: tick
// CONFLICT always: on_ask on_tick: tick
// CONFLICT always: on_ask on_pause: tick
// SAFE: on_ask on_ask

#include <event2/event.h>
#include <event2/event_struct.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static struct event tick;

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  event_add(&tick, &second);
}

static void on_pause(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  event_del(&tick);
}

static void on_ask(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts(event_pending(&tick, EV_TIMEOUT, NULL) ? "running" : "paused");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_assign(&tick, base, -1, 0, on_tick, NULL);
  event_add(&tick, &second);
  event_add(evsignal_new(base, SIGUSR1, on_pause, NULL), NULL);
  event_add(evsignal_new(base, SIGUSR2, on_ask, NULL), NULL);
  return event_base_dispatch(base);
}
