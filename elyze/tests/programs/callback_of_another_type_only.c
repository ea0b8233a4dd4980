// The only function that a field can hold was cast to the callback's type: it is called all the same.
// CONFLICT always: on_data on_data: lines

#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include <event2/event.h>
#include <stddef.h>

static int lines;

static int on_data(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  return ++lines;
}

static bufferevent_data_cb chosen = (bufferevent_data_cb)(void *)on_data;

int main(void) {
  struct event_base *base = event_base_new();
  for (int fd = 3; fd < 5; fd++) {
    struct bufferevent *bev = bufferevent_socket_new(base, fd, 0);
    bev->readcb = chosen;
    bufferevent_enable(bev, EV_READ);
  }
  return event_base_dispatch(base);
}
