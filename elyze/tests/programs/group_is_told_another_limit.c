// Group is told another limit.
// CONFLICT always: on_a on_b: group
#include "server.h"
#include <event2/bufferevent.h>
static struct bufferevent_rate_limit_group *group;
static struct ev_token_bucket_cfg *cfg;
static long g;
HANDLER(on_a) {
  UNUSED;
  g = bufferevent_rate_limit_group_get_read_limit(group);
}
HANDLER(on_b) {
  UNUSED;
  bufferevent_rate_limit_group_set_cfg(group, cfg);
}
int main(void) {
  base = event_base_new();
  cfg = ev_token_bucket_cfg_new(90, 90, 90, 90, NULL);
  group = bufferevent_rate_limit_group_new(base, ev_token_bucket_cfg_new(10, 10, 10, 10, NULL));
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
