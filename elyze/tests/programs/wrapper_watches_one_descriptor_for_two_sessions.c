// A wrapper watches a session's descriptor; it is called for the session and, with the same argument, for one that borrows.
// CONFLICT always: on_bytes on_owner
// CONFLICT always: on_owner on_owner: owner_calls
#include "server.h"
struct session { struct event e; int fd; struct session *lender; long n; };
HANDLER(on_bytes) { struct session *s = arg; UNUSED; s->n += write(fd, "ab", 2); s->n += write(fd, "cd", 2); }
static long owner_calls;
HANDLER(on_owner) { owner_calls++; struct session *s = arg; UNUSED; s->n += write(s->fd, "x", 1); }
static void look(struct session *s, int fd) { event_assign(&s->e, base, fd, EV_WRITE | EV_PERSIST, on_bytes, s); event_add(&s->e, NULL); }
int main(void) {
  base = event_base_new(); struct session *last = NULL;
  for (int i = 3; i < 6; i++) { struct session *s = calloc(1, sizeof *s); s->fd = socket(AF_INET, SOCK_STREAM, 0); s->lender = last; if (last) look(s, last->fd); else look(s, s->fd); last = s; when_readable(i, on_owner, s); }
  return event_base_dispatch(base);
}
