// The bufferevent of the session before gets this one's socket.
// CONFLICT always: on_owner on_sender
#include <event2/bufferevent.h>
#include "server.h"
struct session { int fd; struct bufferevent *bev; struct session *peer; long n; };
HANDLER(on_owner) { struct session *s = arg; UNUSED; s->n += send(s->fd, "ab", 2, 0); s->n += send(s->fd, "cd", 2, 0); }
HANDLER(on_sender) { struct session *s = arg; UNUSED; s->n += send(bufferevent_getfd(s->bev), "x", 1, 0); }
int main(void) {
  base = event_base_new(); struct session *last = NULL;
  for (int i = 3; i < 6; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->fd = socket(AF_INET, SOCK_STREAM, 0); s->bev = bufferevent_socket_new(base, -1, 0); s->peer = last;
    if (last) bufferevent_setfd(last->bev, s->fd);
    last = s;
    event_add(event_new(base, -1, EV_PERSIST, on_owner, s), &(struct timeval){0, 1000}); event_add(event_new(base, -1, EV_PERSIST, on_sender, s), &(struct timeval){0, 1000});
  }
  return event_base_dispatch(base);
}
