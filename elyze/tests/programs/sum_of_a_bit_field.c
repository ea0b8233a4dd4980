// The bits beside it are written with it.
// CONFLICT always: on_read on_read
// COUNTED always: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <unistd.h>

static struct {
  unsigned kind : 3;
  unsigned count : 29;
} state;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  state.count += 1;
  if (what & EV_TIMEOUT) state.kind ^= 1;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
