// Totals of a group are reset.
// CONFLICT always: on_a on_b: group
#include "server.h"
#include <event2/bufferevent.h>
static struct bufferevent_rate_limit_group *group;
static ev_uint64_t in, out;
HANDLER(on_a) {
  UNUSED;
  bufferevent_rate_limit_group_get_totals(group, &in, &out);
}
HANDLER(on_b) {
  UNUSED;
  bufferevent_rate_limit_group_reset_totals(group);
}
int main(void) {
  base = event_base_new();
  group = bufferevent_rate_limit_group_new(base, ev_token_bucket_cfg_new(10, 10, 10, 10, NULL));
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
