// A callback that was cast to the type of a bufferevent's callbacks: the loop works for it all the same. One returns
// something, one takes a number of another size, one takes only the bufferevent.
// CONFLICT always: on_data on_beat: bufferevent
// CONFLICT always: on_sent on_beat: bufferevent
// CONFLICT always: on_end on_beat: bufferevent
#include <event2/bufferevent.h>

#include "server.h"

static struct bufferevent *lines;
static long beats, ends, sent;

static int on_data(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  return 0;
}
static void on_sent(struct bufferevent *bev) {
  (void)bev;
  sent++;
}
static void on_end(struct bufferevent *bev, int what, void *arg) {
  (void)bev, (void)what, (void)arg;
  ends++;
}
HANDLER(on_beat) {
  UNUSED;
  beats++;
  bufferevent_write(lines, "beat", 4);
}

int main(void) {
  base = event_base_new();
  lines = bufferevent_socket_new(base, 3, 0);
  bufferevent_setcb(lines, (bufferevent_data_cb)(void *)on_data, (bufferevent_data_cb)(void *)on_sent,
                    (bufferevent_event_cb)(void *)on_end, NULL);
  bufferevent_enable(lines, EV_READ);
  when_readable(4, on_beat, NULL);
  return event_base_dispatch(base);
}
