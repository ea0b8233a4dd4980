// In the second round of the loop the common path comes after the rare one of the first, and in the first it does not.
// CONFLICT always: on_read on_read: rounds
// STARTS always: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long rounds;
static long errors;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  for (int i = 0; i < 3; i++) {
    if (usleep(10) < 0) errors++;
    rounds++;
  }
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  return event_base_dispatch(base);
}
