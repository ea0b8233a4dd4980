// A filter that is given a socket gives it to the bufferevent below.
// CONFLICT always: on_a on_a: file of ends
// CONFLICT always: on_a on_b: file of ends
// CONFLICT always: on_b on_b: file of ends

#include <event2/bufferevent.h>

#include "server.h"
static struct bufferevent *low, *filter;
static int ends[2];
static void twice(int s) {
  send(s, "a", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
  send(s, "b", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}
HANDLER(on_a) {
  UNUSED;
  twice(bufferevent_getfd(low));
}
HANDLER(on_b) {
  UNUSED;
  twice(ends[0]);
}
int main(int argc, char** argv) {
  base = event_base_new();
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  low = bufferevent_socket_new(base, -1, 0);
  filter = bufferevent_filter_new(low, NULL, NULL, 0, NULL, NULL);
  bufferevent_setfd(filter, ends[0]);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
