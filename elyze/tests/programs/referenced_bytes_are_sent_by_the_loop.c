// A bufferevent sends what its buffer only refers to: that is read between its callbacks.
// CONFLICT always: on_drained on_reload: page
// IMPRECISE: on_drained on_drained: session
// CONFLICT always: on_reload on_reload: page
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

static char page[64];

static void on_drained(struct bufferevent* bev, void* arg) {
  (void)arg;
  evbuffer_add_reference(bufferevent_get_output(bev), page, sizeof page, NULL, NULL);
}

HANDLER(on_reload) {
  UNUSED;
  page[0]++;
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; fd++) {
    struct bufferevent* bev = bufferevent_socket_new(base, fd, 0);
    bufferevent_setcb(bev, NULL, on_drained, NULL, bev);
    bufferevent_enable(bev, EV_WRITE);
  }
  when_readable(9, on_reload, NULL);
  return event_base_dispatch(base);
}
