// The helper has no rare path of its own, and is only called from one; through a pointer, too.
// CONFLICT always: on_read on_read: count
// STARTS never: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long count;

static void note(long by) { count += by; }
static void (*const notes[])(long) = {note, note};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  if (usleep(10) < 0) note(1000);
  if (usleep(20) == -1) notes[what & 1](1);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  return event_base_dispatch(base);
}
