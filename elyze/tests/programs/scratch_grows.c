// Whoever needs more room than there was makes more, and the next one finds it.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
  char* data;
  unsigned long room;
} buffer;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const unsigned long needed = 16 + (unsigned)what;
  if (buffer.room < needed) {
    buffer.data = realloc(buffer.data, needed);
    buffer.room = needed;
  }
  snprintf(buffer.data, needed, "%d", what);
  usleep(strlen(buffer.data));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
