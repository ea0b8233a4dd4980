// The loop works for a bufferevent before it calls a callback that never returns.
// CONFLICT always: on_end on_beat: bufferevent
#include <event2/bufferevent.h>

#include "server.h"

static struct bufferevent *lines;
static long beats;

static void on_end(struct bufferevent *bev, short what, void *arg) {
  (void)bev, (void)what, (void)arg;
  _exit(1);
}
HANDLER(on_beat) {
  UNUSED;
  beats++;
  bufferevent_write(lines, "beat", 4);
}

int main(void) {
  base = event_base_new();
  lines = bufferevent_socket_new(base, 3, 0);
  bufferevent_setcb(lines, NULL, NULL, on_end, NULL);
  bufferevent_enable(lines, EV_READ);
  when_readable(4, on_beat, NULL);
  return event_base_dispatch(base);
}
