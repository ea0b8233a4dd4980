// One configuration of limits belongs to a session, and two bufferevents use it.
// CONFLICT always: on_a on_b
// IMPRECISE: on_a on_a: session
// CONFLICT session: on_b on_b
#include <event2/bufferevent.h>
#include "server.h"
struct left {
  struct ev_token_bucket_cfg* limits;
};
struct right {
  struct bufferevent* bev;
};
HANDLER(on_a) {
  struct left* l = arg;
  UNUSED;
  ev_token_bucket_cfg_free(l->limits);
}
HANDLER(on_b) {
  struct right* r = arg;
  UNUSED;
  bufferevent_set_rate_limit(r->bev, bufferevent_get_token_bucket_cfg(r->bev));
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct left* l = calloc(1, sizeof *l);
    struct right* r = calloc(1, sizeof *r);
    l->limits = ev_token_bucket_cfg_new(1, 1, 1, 1, NULL);
    r->bev = bufferevent_socket_new(base, i, 0);
    bufferevent_set_rate_limit(r->bev, l->limits);
    when_readable(i, on_a, l);
    when_readable(i + 10, on_b, r);
  }
  return event_base_dispatch(base);
}
