// Writing into one end of a pair moves bytes into the other, and changes it.
// CONFLICT always: on_send on_send: pair
// CONFLICT always: on_send on_take: pair
// CONFLICT always: on_take on_take: pair
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

static struct bufferevent *near, *far;

HANDLER(on_send) {
  UNUSED;
  bufferevent_write(near, "x", 1);
}

HANDLER(on_take) {
  UNUSED;
  char byte;
  bufferevent_read(far, &byte, 1);
}

int main(void) {
  struct bufferevent* pair[2];
  base = event_base_new();
  if (bufferevent_pair_new(base, 0, pair) != 0) return 1;
  near = pair[0];
  far = pair[1];
  when_readable(3, on_send, NULL);
  when_readable(4, on_take, NULL);
  return event_base_dispatch(base);
}
