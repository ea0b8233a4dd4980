// bufferevent_getcb() gives the callback; the variable has a default before.
// CONFLICT always: on_kick on_show: reads
// CONFLICT always: on_kick on_kick: reads
// CONFLICT always: on_read on_show: reads
// CONFLICT always: on_read on_read: reads
// CONFLICT always: on_read on_kick: reads
// SAFE: on_show on_show
#include <event2/bufferevent.h>
#include "server.h"
static long reads;
static struct bufferevent* bev;
static void on_read(struct bufferevent* from, void* arg) {
  (void)from, (void)arg;
  reads++;
}
static void none(struct bufferevent* from, void* arg) { (void)from, (void)arg; }
HANDLER(on_kick) {
  UNUSED;
  bufferevent_data_cb reader = none;
  bufferevent_getcb(bev, &reader, NULL, NULL, NULL);
  reader(bev, NULL);
}
HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", reads);
}
int main(void) {
  base = event_base_new();
  bev = bufferevent_socket_new(base, 7, 0);
  bufferevent_setcb(bev, on_read, NULL, NULL, NULL);
  bufferevent_enable(bev, EV_READ);
  when_readable(3, on_kick, NULL);
  when_readable(9, on_show, NULL);
  return event_base_dispatch(base);
}
