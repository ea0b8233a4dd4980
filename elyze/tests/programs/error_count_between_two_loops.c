// A handler that runs another loop does what the handlers of that loop do: it must not wait in the middle of it.
// CONFLICT always: on_read on_read: errors
// SAFE: on_read on_tick
// SAFE: on_tick on_tick
// STARTS always: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct timeval second = {1, 0};
static struct event_base* inner;
static long errors;

static void on_tick(evutil_socket_t fd, short what, void* arg) { (void)fd, (void)what, (void)arg; }

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  event_base_loop(inner, EVLOOP_NONBLOCK);
  if (usleep(10) < 0) errors++;
}

int main(void) {
  struct event_base* base = event_base_new();
  inner = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
