// A relative path means another file after chdir; an absolute one does not.
// CONFLICT always: on_enter on_enter: working directory
// CONFLICT always: on_enter on_relative: working directory
// SAFE: on_absolute on_enter
// SAFE: on_relative on_relative
// SAFE: on_absolute on_relative
// SAFE: on_absolute on_absolute

#include <event2/event.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

static void on_enter(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (chdir("/tmp") != 0) puts("no such directory");
}

static void on_relative(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  int file = open("data", O_RDONLY);
  if (file >= 0) close(file);
}

static void on_absolute(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  int file = open("/tmp/data", O_RDONLY);
  if (file >= 0) close(file);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_enter, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_relative, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_absolute, NULL), &second);
  return event_base_dispatch(base);
}
