// A session gets the callbacks of the bufferevent of the session before, which that one writes to from a timer.
// CONFLICT always: on_peer on_owner: *session->bev
// CONFLICT session: on_owner on_owner
#include <event2/bufferevent.h>
#include "server.h"
struct session { struct bufferevent *bev; struct session *peer; long n; };
static void on_peer(struct bufferevent *bev, void *arg) { struct session *s = arg; s->n++; bufferevent_write(bev, "ab", 2); }
HANDLER(on_owner) { struct session *s = arg; UNUSED; bufferevent_write(s->bev, "cd", 2); }
int main(void) {
  base = event_base_new(); struct session *last = NULL;
  for (int i = 3; i < 6; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->bev = bufferevent_socket_new(base, i, 0); s->peer = last;
    if (last) { bufferevent_setcb(last->bev, on_peer, NULL, NULL, s); bufferevent_enable(last->bev, EV_READ); }
    last = s;
    event_add(event_new(base, -1, EV_PERSIST, on_owner, s), &(struct timeval){0, 1000});
  }
  return event_base_dispatch(base);
}
