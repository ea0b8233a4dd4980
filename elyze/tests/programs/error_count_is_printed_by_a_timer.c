// Errors are counted on a rare path and printed by a timer: with late points the counting one may start beside the
// printing one, which touches the counter at once, and not the other way round.
// CONFLICT always: on_read on_read: errors
// CONFLICT always: on_read on_tick: errors
// SAFE: on_tick on_tick
// STARTS never: on_read on_read
// STARTS never: on_read on_tick
// STARTS always: on_tick on_read

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct timeval second = {1, 0};
static long errors;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (usleep(10) < 0) errors++;
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld errors\n", errors);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
