// Whoever says volatile wants these very accesses.
// CONFLICT always: on_read on_read
// COUNTED always: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <unistd.h>

static volatile unsigned long count;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  count += 1;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
