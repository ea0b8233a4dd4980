// What the server's callback makes is the bufferevent of the connection.
// CONFLICT always: make make: last
// CONFLICT always: make on_b: last
// CONFLICT always: make on_request
// CONFLICT always: make on_a
// CONFLICT always: on_b on_b
// CONFLICT always: on_b on_request
// CONFLICT always: on_a on_b
// CONFLICT always: on_request on_request
// CONFLICT always: on_a on_request
// CONFLICT always: on_a on_a

#include <event2/bufferevent.h>
#include <event2/http.h>

#include "server.h"
static struct bufferevent *last;
static long seen;
HANDLER(on_b) {
  UNUSED;
  bufferevent_disable(last, EV_READ);
  bufferevent_enable(last, EV_READ);
}
HANDLER(on_a) {
  UNUSED;
  bufferevent_enable(arg, EV_READ);
  bufferevent_disable(arg, EV_READ);
}
static void on_request(struct evhttp_request *req, void *arg) {
  event_add(event_new(base, 3, EV_READ, on_a, evhttp_connection_get_bufferevent(evhttp_request_get_connection(req))),
            NULL);
}
static struct bufferevent *make(struct event_base *b, void *arg) {
  last = bufferevent_socket_new(b, -1, BEV_OPT_CLOSE_ON_FREE);
  return last;
}
int main(void) {
  base = event_base_new();
  struct evhttp *h = evhttp_new(base);
  evhttp_set_bevcb(h, make, NULL);
  when_readable(3, on_b, NULL);
  evhttp_bind_socket(h, "127.0.0.1", 0);
  evhttp_set_gencb(h, on_request, NULL);
  return event_base_dispatch(base);
}
