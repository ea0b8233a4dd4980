// A callback that takes the descriptor only is registered for two kinds of sessions, each time with the session's own.
// IMPRECISE: on_bytes on_second: session
// IMPRECISE: on_bytes on_first: session
// SAFE: on_first on_second
#include "server.h"
struct first { int fd; long n; };
struct second { long pad; int fd; };
static long bytes_calls;
static void on_bytes(int fd) { bytes_calls++; if (write(fd, "x", 1) < 0) return; }
HANDLER(on_first) { struct first *s = arg; UNUSED; if (write(s->fd, "a", 1) < 0) return; }
HANDLER(on_second) { struct second *s = arg; UNUSED; if (write(s->fd, "b", 1) < 0) return; }
// CONFLICT always: on_bytes on_bytes: bytes_calls
// CONFLICT session: on_first on_first
// CONFLICT session: on_second on_second
int main(void) {
  base = event_base_new(); struct timeval soon = {0, 1000};
  for (int i = 3; i < 6; i++) {
    struct first *a = calloc(1, sizeof *a); struct second *b = calloc(1, sizeof *b);
    a->fd = socket(AF_INET, SOCK_STREAM, 0); b->fd = socket(AF_INET, SOCK_STREAM, 0);
    event_add(event_new(base, a->fd, EV_READ | EV_PERSIST, (event_callback_fn)on_bytes, a), NULL);
    event_add(event_new(base, b->fd, EV_READ | EV_PERSIST, (event_callback_fn)on_bytes, b), NULL);
    event_add(event_new(base, -1, EV_PERSIST, on_first, a), &soon);
    event_add(event_new(base, -1, EV_PERSIST, on_second, b), &soon);
  }
  return event_base_dispatch(base);
}
