// Limit of a group is counted down.
// CONFLICT always: on_a on_b: group
#include "server.h"
#include <event2/bufferevent.h>
static struct bufferevent_rate_limit_group *group;
static long g;
HANDLER(on_a) {
  UNUSED;
  g = bufferevent_rate_limit_group_get_read_limit(group);
}
HANDLER(on_b) {
  UNUSED;
  bufferevent_rate_limit_group_decrement_read(group, 5);
}
int main(void) {
  base = event_base_new();
  group = bufferevent_rate_limit_group_new(base, ev_token_bucket_cfg_new(10, 10, 10, 10, NULL));
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
