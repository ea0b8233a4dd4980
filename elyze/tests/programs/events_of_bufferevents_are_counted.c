// Events of bufferevents are counted.
// CONFLICT always: on_a on_b: events of the base
#include "server.h"
#include <event2/bufferevent.h>
static long g;
static struct bufferevent *bev;
HANDLER(on_a) {
  UNUSED;
  g += event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED);
}
HANDLER(on_b) {
  UNUSED;
  bufferevent_enable(bev, EV_READ);
}
int main(void) {
  base = event_base_new();
  bev = bufferevent_socket_new(base, 5, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
