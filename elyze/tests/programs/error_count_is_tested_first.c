// What was read before the rare path is old when it has been waited for: check, then act.
// CONFLICT always: on_read on_read: errors
// STARTS always: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long errors;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const long before = errors;
  if (usleep(10) < 0) errors = before + 1;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  return event_base_dispatch(base);
}
