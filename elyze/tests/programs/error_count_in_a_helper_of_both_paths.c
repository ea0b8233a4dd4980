// The helper counts on the rare path, and on the common one as well.
// CONFLICT always: on_read on_read: count
// STARTS always: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long count;

static void note(long by) { count += by; }

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (usleep(10) < 0) note(1000);
  note(1);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  return event_base_dispatch(base);
}
