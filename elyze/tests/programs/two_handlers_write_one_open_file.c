// A global descriptor: its offset and what is written to it are one object.
// CONFLICT always: on_a on_a: log_fd
// CONFLICT always: on_a on_b: log_fd
// CONFLICT always: on_b on_b: log_fd

#include <event2/event.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct timeval second = {1, 0};
static int log_fd;

static void append(const char* text) {
  if (write(log_fd, text, strlen(text)) < 0) puts("lost");
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  append("a\n");
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  append("b\n");
}

int main(void) {
  struct event_base* base = event_base_new();
  log_fd = open("/tmp/server.log", O_WRONLY | O_CREAT | O_APPEND, 0600);
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
