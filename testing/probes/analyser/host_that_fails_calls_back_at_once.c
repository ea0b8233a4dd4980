// Without a resolver the name is looked up at once; where it fails, the event callback is called before that returns.
// CONFLICT always: on_kick on_show: failed
// CONFLICT always: on_kick on_kick: failed
// CONFLICT always: on_kick on_event: failed
// CONFLICT always: on_event on_event: failed
// CONFLICT always: on_event on_show: failed
// SAFE: on_show on_show
#include <event2/bufferevent.h>
#include "server.h"
struct session {
  struct bufferevent* bev;
};
static long failed;
static void on_event(struct bufferevent* bev, short what, void* arg) {
  (void)bev, (void)arg;
  if (what & BEV_EVENT_ERROR) failed++;
}
HANDLER(on_kick) {
  struct session* s = arg;
  UNUSED;
  bufferevent_socket_connect_hostname(s->bev, NULL, AF_INET, "nowhere.invalid", 80);
}
HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", failed);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->bev = bufferevent_socket_new(base, -1, 0);
    bufferevent_setcb(s->bev, NULL, NULL, on_event, s);
    when_readable(i, on_kick, s);
  }
  when_readable(9, on_show, NULL);
  return event_base_dispatch(base);
}
