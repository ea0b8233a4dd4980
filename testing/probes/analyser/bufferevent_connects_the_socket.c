// A bufferevent connects the socket that another handler sends to and asks about.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include <event2/bufferevent.h>
#include <netinet/in.h>
#include "server.h"
static struct bufferevent* bev;
static int out;
HANDLER(on_a) {
  UNUSED;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(80)};
  bufferevent_socket_connect(bev, (struct sockaddr*)&to, sizeof to);
}
HANDLER(on_b) {
  UNUSED;
  if (send(out, "b", 1, 0) != send(out, "b", 1, 0)) abort();
}

int main(void) {
  base = event_base_new();
  out = socket(AF_INET, SOCK_STREAM, 0);
  bev = bufferevent_socket_new(base, out, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
