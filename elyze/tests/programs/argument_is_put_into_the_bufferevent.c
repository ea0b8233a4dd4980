// A program changes the argument of a bufferevent's callbacks in its structure.
// CONFLICT always: on_read on_read: shared.hits
// CONFLICT always: on_read on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include "server.h"
struct item {
  long hits;
};
static struct item shared;
static void on_read(struct bufferevent* bev, void* arg) {
  (void)bev;
  ((struct item*)arg)->hits++;
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 6; i++) {
    struct bufferevent* bev = bufferevent_socket_new(base, i, 0);
    bufferevent_setcb(bev, on_read, NULL, NULL, calloc(1, sizeof(struct item)));
    bev->cbarg = &shared;
    bufferevent_enable(bev, EV_READ);
  }
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
