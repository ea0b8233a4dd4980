// One member is set on one path only.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct request {
  int kind;
  long bytes;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  static struct request request;
  request.kind = what;
  if (what & EV_READ) request.bytes = fd;
  usleep((unsigned)(request.kind + request.bytes) % 3);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
