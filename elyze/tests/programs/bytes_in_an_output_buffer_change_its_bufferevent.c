// Bytes added to the buffer of a bufferevent make it wait for its socket: that changes the bufferevent.
// CONFLICT always: on_send on_send: output
// CONFLICT always: on_send on_stop: bev
// CONFLICT always: on_stop on_stop: bev
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

static struct bufferevent* bev;
static struct evbuffer* output;

HANDLER(on_send) {
  UNUSED;
  evbuffer_add(output, "x", 1);
}

HANDLER(on_stop) {
  UNUSED;
  bufferevent_disable(bev, EV_WRITE);
}

int main(void) {
  base = event_base_new();
  bev = bufferevent_socket_new(base, 3, 0);
  output = bufferevent_get_output(bev);
  when_readable(4, on_send, NULL);
  when_readable(5, on_stop, NULL);
  return event_base_dispatch(base);
}
