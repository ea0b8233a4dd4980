// New sessions go at the head of a list; each is called when the one behind it can be read.
// CONFLICT always: on_bytes on_owner: file of session->fd
// CONFLICT always: on_owner on_owner: owner_calls
#include "server.h"
struct session { int fd; struct session *next; long n; };
static struct session *head;
HANDLER(on_bytes) { struct session *s = arg; UNUSED; s->n += write(fd, "ab", 2); s->n += write(fd, "cd", 2); }
static long owner_calls;
HANDLER(on_owner) { owner_calls++; struct session *s = arg; UNUSED; s->n += write(s->fd, "x", 1); }
static struct session *find(int i) { struct session *s = head; while (s && i--) s = s->next; return s; }
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session *s = calloc(1, sizeof *s), *other = find(i & 1);
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    s->next = find(0); head = s;
    if (other) event_add(event_new(base, other->fd, EV_WRITE | EV_PERSIST, on_bytes, s), NULL);
    event_add(event_new(base, -1, EV_PERSIST, on_owner, s), &(struct timeval){0, 1000});
  }
  return event_base_dispatch(base);
}
