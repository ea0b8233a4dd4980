// A sum that nobody looks at is no lock.
// CONFLICT always: on_read on_read: errors
// STARTS never: on_read on_read

#include <event2/event.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_long calls;
static long errors;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  atomic_fetch_add(&calls, 1);
  if (usleep(10) < 0) errors++;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  return event_base_dispatch(base);
}
