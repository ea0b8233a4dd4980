// A program puts its function before the one that a bufferevent has, which it reads from the structure.
// CONFLICT always: on_wrap on_show: reads
// CONFLICT always: on_wrap on_wrap: reads
// CONFLICT always: on_read on_show: reads
// CONFLICT always: on_read on_read: reads
// CONFLICT always: on_read on_wrap: reads
// SAFE: on_show on_show
#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include "server.h"
static long reads;
static bufferevent_data_cb before;
static void on_read(struct bufferevent* bev, void* arg) {
  (void)bev, (void)arg;
  reads++;
}
static void on_wrap(struct bufferevent* bev, void* arg) { before(bev, arg); }
HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", reads);
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct bufferevent* bev = bufferevent_socket_new(base, i, 0);
    bufferevent_setcb(bev, on_read, NULL, NULL, NULL);
    before = bev->readcb;
    bev->readcb = on_wrap;
    bufferevent_enable(bev, EV_READ);
  }
  when_readable(9, on_show, NULL);
  return event_base_dispatch(base);
}
