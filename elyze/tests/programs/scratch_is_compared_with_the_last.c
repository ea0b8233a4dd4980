// The text of the last call is compared before it is written over.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[32];

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  char now[32];
  snprintf(now, sizeof now, "%d", what);
  if (strcmp(text, now) != 0) usleep(1);
  strcpy(text, now);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
