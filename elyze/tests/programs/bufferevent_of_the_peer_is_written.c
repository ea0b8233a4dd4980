// A relay stops reading on its own side and starts it on the other one, whose bufferevent is another session's.
// CONFLICT always: on_data on_data: side->bev

#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>

struct side {
  struct side* peer;
  struct bufferevent* bev;
};

static void on_data(struct bufferevent* bev, void* arg) {
  struct side* s = arg;
  bufferevent_disable(bev, EV_READ);
  bufferevent_enable(s->peer->bev, EV_READ);
}

static struct side* side_new(struct event_base* base, evutil_socket_t fd) {
  struct side* s = calloc(1, sizeof *s);
  s->bev = bufferevent_socket_new(base, fd, 0);
  bufferevent_setcb(s->bev, on_data, NULL, NULL, s);
  bufferevent_enable(s->bev, EV_READ);
  return s;
}

int main(void) {
  struct event_base* base = event_base_new();
  struct side *left = side_new(base, 3), *right = side_new(base, 4);
  left->peer = right;
  right->peer = left;
  return event_base_dispatch(base);
}
