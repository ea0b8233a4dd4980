// event_get_assignment() tells the descriptor of a session's event; another session has a stream on it.
// CONFLICT always: on_first on_second
#include "server.h"
struct first { struct event *e; long n; };
struct second { long x; FILE *stream; };
static long first_calls;
HANDLER(on_first) { first_calls++; struct first *s = arg; UNUSED; s->n += write(fd, "name ", 5); s->n += write(fd, "value", 5); }
HANDLER(on_second) { struct second *s = arg; UNUSED; fputs("other", s->stream); fflush(s->stream); }
// CONFLICT always: on_first on_first: first_calls
// SAFE: on_second on_second
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    struct first *a = calloc(1, sizeof *a); struct second *b = calloc(1, sizeof *b); int fd = -1;
    a->e = event_new(base, socket(AF_INET, SOCK_STREAM, 0), EV_WRITE | EV_PERSIST, on_first, a); event_add(a->e, NULL);
    event_get_assignment(a->e, NULL, &fd, NULL, NULL, NULL);
    b->stream = fdopen(fd, "w");
    event_add(event_new(base, -1, EV_PERSIST, on_second, b), &(struct timeval){0, 1000});
  }
  return event_base_dispatch(base);
}
