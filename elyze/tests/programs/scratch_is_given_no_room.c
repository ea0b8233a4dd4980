// A text for which there is no room is not written at all.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[32];

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  snprintf(text, 0, "%d", what);
  usleep(strlen(text));
  strcpy(text, "left");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
