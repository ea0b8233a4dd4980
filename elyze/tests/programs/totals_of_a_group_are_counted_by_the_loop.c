// The loop counts what each member of a group reads: whoever asks for the totals twice sees both.
// CONFLICT always: on_read on_read
// CONFLICT always: on_ask on_read
// SAFE: on_ask on_ask
#include <event2/bufferevent.h>

#include "server.h"

static int reads;
static struct bufferevent_rate_limit_group *group;

static void on_read(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  reads++;
}

HANDLER(on_ask) {
  UNUSED;
  ev_uint64_t one, two, written;
  bufferevent_rate_limit_group_get_totals(group, &one, &written);
  bufferevent_rate_limit_group_get_totals(group, &two, &written);
  if (one != two) abort();
}

int main(void) {
  static const struct timeval second = {1, 0};
  base = event_base_new();
  group = bufferevent_rate_limit_group_new(base, ev_token_bucket_cfg_new(100, 100, 100, 100, &second));
  for (int i = 0; i < 3; i++) {
    struct bufferevent *bev = bufferevent_socket_new(base, socket(AF_INET, SOCK_STREAM, 0), 0);
    bufferevent_add_to_rate_limit_group(bev, group);
    bufferevent_setcb(bev, on_read, NULL, NULL, NULL);
    bufferevent_enable(bev, EV_READ);
  }
  when_readable(3, on_ask, NULL);
  return event_base_dispatch(base);
}
