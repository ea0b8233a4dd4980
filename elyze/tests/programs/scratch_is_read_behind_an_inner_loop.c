// Handlers of another base have written it meanwhile.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[32];
static struct event_base* inner;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  snprintf(text, sizeof text, "%d", what);
  event_base_loop(inner, EVLOOP_NONBLOCK);
  usleep(strlen(text));
}

int main(void) {
  struct event_base* base = event_base_new();
  inner = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
