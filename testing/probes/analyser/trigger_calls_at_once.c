// bufferevent_trigger() calls the callback before it returns, unless it is told to defer it.
// CONFLICT always: on_read on_read: reads
// CONFLICT always: on_read on_kick
// CONFLICT always: on_kick on_kick: reads
// CONFLICT always: on_read on_show: reads
// CONFLICT always: on_kick on_show: reads
// SAFE: on_show on_show
#include <event2/bufferevent.h>
#include "server.h"
struct session {
  struct bufferevent* bev;
};
static long reads;
static void on_read(struct bufferevent* bev, void* arg) {
  (void)bev, (void)arg;
  reads++;
}
HANDLER(on_kick) {
  struct session* s = arg;
  UNUSED;
  bufferevent_trigger(s->bev, EV_READ, BEV_TRIG_IGNORE_WATERMARKS);
}
HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", reads);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->bev = bufferevent_socket_new(base, socket(AF_INET, SOCK_STREAM, 0), 0);
    bufferevent_setcb(s->bev, on_read, NULL, NULL, s);
    when_readable(i, on_kick, s);
  }
  when_readable(9, on_show, NULL);
  return event_base_dispatch(base);
}
