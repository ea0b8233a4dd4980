// Who has the callbacks of a bufferevent called calls the filter above it, which moves its bytes up.
// CONFLICT always: on_a on_a: *in, *filter
// CONFLICT always: on_a on_b: *in
// CONFLICT always: on_b on_b: length

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"
static struct bufferevent *low, *filter;
static struct evbuffer* in;
static size_t length;
HANDLER(on_a) {
  UNUSED;
  bufferevent_trigger(low, EV_READ, BEV_TRIG_IGNORE_WATERMARKS);
}
HANDLER(on_b) {
  UNUSED;
  length = evbuffer_get_length(in);
}
int main(int argc, char** argv) {
  base = event_base_new();
  low = bufferevent_socket_new(base, -1, 0);
  filter = bufferevent_filter_new(low, NULL, NULL, 0, NULL, NULL);
  in = bufferevent_get_input(filter);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
