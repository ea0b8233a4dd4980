// CONFLICT always: on_in on_out
#include <event2/bufferevent.h>
#include "server.h"
struct session { struct bufferevent *bev; long n; };
static void on_in(struct bufferevent *bev, void *arg) { struct session *s = arg; char c[10]; s->n += (long)bufferevent_read(bev, c, 10); }
static void on_out(struct bufferevent *bev, void *arg) { struct session *s = arg; s->n++; bufferevent_write(bev, "x", 1); }
// CONFLICT session: on_in on_in
// CONFLICT session: on_out on_out
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 3; i++) {
    struct session *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b); int sv[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sv)) return 1;
    a->bev = bufferevent_socket_new(base, sv[0], 0); b->bev = bufferevent_socket_new(base, sv[1], 0);
    bufferevent_setcb(a->bev, NULL, on_out, NULL, a); bufferevent_setcb(b->bev, on_in, NULL, NULL, b);
    bufferevent_enable(a->bev, EV_WRITE); bufferevent_enable(b->bev, EV_READ);
  }
  return event_base_dispatch(base);
}
