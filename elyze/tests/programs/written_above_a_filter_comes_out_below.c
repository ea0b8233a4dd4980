// What is written above a filter comes out in the buffer of the bufferevent below it.
// CONFLICT always: on_above on_above: above
// CONFLICT always: on_above on_below: below
// CONFLICT always: on_below on_below: below
// CONFLICT always: on_above on_straight: below
// CONFLICT always: on_below on_straight: below
// CONFLICT always: on_straight on_straight: below
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

static struct bufferevent *below, *above;
static struct evbuffer* above_output;

HANDLER(on_above) {
  UNUSED;
  bufferevent_write(above, "x", 1);
}

HANDLER(on_below) {
  UNUSED;
  evbuffer_add(bufferevent_get_output(below), "x", 1);
}

HANDLER(on_straight) {
  UNUSED;
  evbuffer_add(above_output, "x", 1);
}

int main(void) {
  base = event_base_new();
  below = bufferevent_socket_new(base, 3, 0);
  above = bufferevent_filter_new(below, NULL, NULL, 0, NULL, NULL);
  above_output = bufferevent_get_output(above);
  when_readable(4, on_above, NULL);
  when_readable(5, on_below, NULL);
  when_readable(6, on_straight, NULL);
  return event_base_dispatch(base);
}
