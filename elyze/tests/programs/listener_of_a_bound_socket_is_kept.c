// The function that is called for each bound socket gets that socket, which leads to the listener.
// CONFLICT always: on_a on_a: file of ends
// CONFLICT always: on_a on_b: file of ends
// CONFLICT always: on_b on_b: file of ends

#include <event2/http.h>
#include <event2/listener.h>

#include "server.h"
static struct evhttp* http;
static struct evconnlistener* listener;
static int ends[2];
static void twice(int s) {
  send(s, "a", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
  send(s, "b", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}
static void visit(struct evhttp_bound_socket* bound, void* arg) {
  (void)arg;
  listener = evhttp_bound_socket_get_listener(bound);
}
HANDLER(on_a) {
  UNUSED;
  twice(evconnlistener_get_fd(listener));
}
HANDLER(on_b) {
  UNUSED;
  twice(ends[0]);
}
int main(int argc, char** argv) {
  base = event_base_new();
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  http = evhttp_new(base);
  evhttp_accept_socket(http, ends[0]);
  evhttp_foreach_bound_socket(http, visit, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
