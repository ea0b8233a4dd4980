// An absolute path is opened, read and closed again: the open file is fresh, names and contents are no objects.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

static void show(const char* path) {
  char bytes[64];
  int fd = open(path, O_RDONLY);
  if (fd < 0) return;
  printf("%zd bytes\n", read(fd, bytes, sizeof bytes));
  close(fd);
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  show("/etc/hostname");
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  show("/etc/hosts");
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
