// The bufferevent was told to close its socket when it is freed; another handler uses the socket.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include <event2/bufferevent.h>
#include "server.h"
static struct bufferevent* bev;
static int out;
HANDLER(on_a) {
  UNUSED;
  bufferevent_free(bev);
}
HANDLER(on_b) {
  UNUSED;
  if (send(out, "b", 1, 0) == 1) send(out, "c", 1, 0);
}

int main(void) {
  base = event_base_new();
  out = socket(AF_INET, SOCK_STREAM, 0);
  bev = bufferevent_socket_new(base, out, BEV_OPT_CLOSE_ON_FREE);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
