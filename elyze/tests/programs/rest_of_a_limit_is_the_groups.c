// What a bufferevent may still read depends on its group.
// CONFLICT always: on_a on_b: group
#include <event2/bufferevent.h>

#include "server.h"
static struct bufferevent_rate_limit_group *group;
static struct bufferevent *member;
static long left;
HANDLER(on_a) {
  UNUSED;
  left = bufferevent_get_max_to_read(member);
}
HANDLER(on_b) {
  UNUSED;
  bufferevent_rate_limit_group_decrement_read(group, 5);
}
int main(void) {
  base = event_base_new();
  member = bufferevent_socket_new(base, 3, 0);
  group = bufferevent_rate_limit_group_new(base, ev_token_bucket_cfg_new(10, 10, 10, 10, NULL));
  bufferevent_add_to_rate_limit_group(member, group);
  when_readable(5, on_a, NULL);
  when_readable(6, on_b, NULL);
  return event_base_dispatch(base);
}
