// An event is activated by the number of its descriptor.
// CONFLICT always: on_a on_read
// SAFE: on_a on_a
// CONFLICT session: on_read on_read: session->count
#include "server.h"
struct session {
  int fd;
  long count;
};
static int last;
HANDLER(on_read) {
  struct session* s = arg;
  UNUSED;
  s->count++;
}
HANDLER(on_a) {
  UNUSED;
  event_base_active_by_fd(base, last, EV_READ);
}
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    struct session* s = calloc(1, sizeof *s);
    last = s->fd = socket(AF_INET, SOCK_STREAM, 0);
    event_add(event_new(base, s->fd, EV_READ | EV_PERSIST, on_read, s), NULL);
  }
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
