// CONFLICT always: on_write on_read
#include <event2/bufferevent.h>
#include "server.h"
struct writer { struct bufferevent *bev; long n; };
struct reader { struct bufferevent *bev; long half; };
HANDLER(on_write) { struct writer *s = arg; UNUSED; s->n += send(bufferevent_getfd(s->bev), "name ", 5, 0); s->n += send(bufferevent_getfd(s->bev), "value", 5, 0); }
HANDLER(on_read) { struct reader *s = arg; UNUSED; char bytes[11]; s->half += recv(bufferevent_getfd(s->bev), bytes, 10, 0) == 5; }
// CONFLICT session: on_read on_read
// CONFLICT session: on_write on_write
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    struct writer *a = calloc(1, sizeof *a); struct reader *b = calloc(1, sizeof *b); int sv[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sv)) return 1;
    a->bev = bufferevent_socket_new(base, sv[0], 0); b->bev = bufferevent_socket_new(base, sv[1], 0);
    event_add(event_new(base, -1, EV_PERSIST, on_write, a), &(struct timeval){0, 1000});
    event_add(event_new(base, -1, EV_PERSIST, on_read, b), &(struct timeval){0, 1000});
  }
  return event_base_dispatch(base);
}
