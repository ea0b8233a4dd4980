// The same where the bytes are added to the buffer of one end.
// CONFLICT always: on_send on_send: pair
// CONFLICT always: on_send on_stop: pair
// CONFLICT always: on_stop on_stop: pair
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

static struct bufferevent *near, *far;
static struct evbuffer* out;

HANDLER(on_send) {
  UNUSED;
  evbuffer_add(out, "x", 1);
}

HANDLER(on_stop) {
  UNUSED;
  bufferevent_disable(far, EV_READ);
}

int main(void) {
  struct bufferevent* pair[2];
  base = event_base_new();
  if (bufferevent_pair_new(base, 0, pair) != 0) return 1;
  near = pair[0];
  far = pair[1];
  out = bufferevent_get_output(near);
  when_readable(3, on_send, NULL);
  when_readable(4, on_stop, NULL);
  return event_base_dispatch(base);
}
