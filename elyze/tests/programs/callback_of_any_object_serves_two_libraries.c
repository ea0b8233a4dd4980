// A function that takes any object may be a callback of bufferevents and one of listeners: the loop works for both.
// CONFLICT always: on_any on_beat
// CONFLICT always: on_client on_beat
#include <event2/bufferevent.h>
#include <event2/listener.h>

#include "server.h"

static struct evconnlistener *listener;

static void on_any(void *object, void *arg) { (void)object, (void)arg; }
static void on_client(struct evconnlistener *by, evutil_socket_t fd, struct sockaddr *address, int bytes, void *arg) {
  (void)by, (void)address, (void)bytes, (void)arg;
  close(fd);
}
HANDLER(on_beat) {
  UNUSED;
  evconnlistener_disable(listener);
}

int main(void) {
  base = event_base_new();
  listener = evconnlistener_new(base, on_client, NULL, LEV_OPT_CLOSE_ON_FREE, -1, 5);
  if (listener != NULL) evconnlistener_set_error_cb(listener, (evconnlistener_errorcb)(void *)on_any);
  struct bufferevent *lines = bufferevent_socket_new(base, 3, 0);
  bufferevent_setcb(lines, (bufferevent_data_cb)(void *)on_any, NULL, NULL, NULL);
  bufferevent_enable(lines, EV_READ);
  when_readable(4, on_beat, NULL);
  return event_base_dispatch(base);
}
