// A bufferevent keeps the limits that it was told (bufferevent_set_rate_limit(), event2/bufferevent.h), and looks at them
// when it is asked what is left.
// CONFLICT always: on_left on_end: limits
// CONFLICT always: on_most on_end: limits
// CONFLICT always: on_count on_end: limits
// CONFLICT always: on_count on_left
// CONFLICT always: on_count on_most
// CONFLICT always: on_left on_most
#include <event2/bufferevent.h>

#include "server.h"

static struct ev_token_bucket_cfg *limits;
static struct bufferevent *peer;
static long left;

HANDLER(on_left) {
  UNUSED;
  left = bufferevent_get_read_limit(peer);
}
HANDLER(on_most) {
  UNUSED;
  left += bufferevent_get_max_to_write(peer);
}
HANDLER(on_count) {
  UNUSED;
  bufferevent_decrement_write_limit(peer, 5);
}
HANDLER(on_end) {
  UNUSED;
  ev_token_bucket_cfg_free(limits);
}

int main(void) {
  base = event_base_new();
  limits = ev_token_bucket_cfg_new(10, 10, 10, 10, NULL);
  peer = bufferevent_socket_new(base, 6, 0);
  bufferevent_set_rate_limit(peer, limits);
  when_readable(3, on_left, NULL);
  when_readable(4, on_most, NULL);
  when_readable(5, on_count, NULL);
  event_base_once(base, -1, EV_TIMEOUT, on_end, NULL, NULL);
  return event_base_dispatch(base);
}
