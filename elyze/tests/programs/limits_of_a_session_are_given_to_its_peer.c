// A session's own limits are set for the bufferevent of the one before; the session frees them.
// CONFLICT always: on_free on_read
#include <event2/bufferevent.h>
#include "server.h"
struct session { struct ev_token_bucket_cfg *limits; struct bufferevent *bev; struct session *peer; long n; };
static void on_read(struct bufferevent *bev, void *arg) { struct session *s = arg; (void)bev; s->n++; }
HANDLER(on_free) { struct session *s = arg; UNUSED; ev_token_bucket_cfg_free(s->limits); }
int main(void) {
  base = event_base_new(); struct session *last = NULL;
  for (int i = 3; i < 6; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->limits = ev_token_bucket_cfg_new(100, 100, 100, 100, NULL); s->bev = bufferevent_socket_new(base, i, 0); bufferevent_setcb(s->bev, on_read, NULL, NULL, s); s->peer = last;
    if (last) bufferevent_set_rate_limit(last->bev, s->limits);
    last = s; when_readable(i + 20, on_free, s);
  }
  return event_base_dispatch(base);
}
