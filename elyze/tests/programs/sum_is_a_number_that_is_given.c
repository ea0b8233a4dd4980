// The sum is the number of the call: two calls may not have one.
// CONFLICT always: on_read on_read
// COUNTED always: on_read on_read

#include <event2/event.h>
#include <stddef.h>
#include <unistd.h>

static unsigned long next;
static unsigned long last[4];

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const unsigned long mine = next++;
  last[mine & 3] = mine;
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
