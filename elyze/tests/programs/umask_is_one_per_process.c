// umask writes a process-wide mask that file creation reads.
// CONFLICT always: on_strict on_strict: umask
// CONFLICT always: on_create on_strict: umask
// SAFE: on_create on_create

#include <event2/event.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

static void on_strict(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  umask(077);
}

static void on_create(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  int file = open("/tmp/created", O_WRONLY | O_CREAT, 0666);
  if (file >= 0) close(file);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_strict, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_create, NULL), &second);
  return event_base_dispatch(base);
}
