// Main shows what the last call has left.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[32];

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  snprintf(text, sizeof text, "%d", what);
  usleep(strlen(text));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  snprintf(text, sizeof text, "nothing");
  event_base_dispatch(base);
  puts(text);
  return 0;
}
