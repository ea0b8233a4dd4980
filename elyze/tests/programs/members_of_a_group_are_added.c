// Two sessions join a group of limits in any order; nobody frees the group meanwhile.
// SAFE: on_a on_b
// CONFLICT always: on_a on_end: group
#include <event2/bufferevent.h>

#include "server.h"
static struct bufferevent_rate_limit_group *group;
static struct bufferevent *one, *two;
HANDLER(on_a) {
  UNUSED;
  bufferevent_add_to_rate_limit_group(one, group);
}
HANDLER(on_b) {
  UNUSED;
  bufferevent_add_to_rate_limit_group(two, group);
}
HANDLER(on_end) {
  UNUSED;
  bufferevent_rate_limit_group_free(group);
}
int main(void) {
  base = event_base_new();
  one = bufferevent_socket_new(base, 3, 0);
  two = bufferevent_socket_new(base, 4, 0);
  group = bufferevent_rate_limit_group_new(base, ev_token_bucket_cfg_new(10, 10, 10, 10, NULL));
  when_readable(5, on_a, NULL);
  when_readable(6, on_b, NULL);
  when_readable(7, on_end, NULL);
  return event_base_dispatch(base);
}
