// The descriptor of a connection, by its bufferevent, is the one that the loop writes the answer to.
// CONFLICT always: on_request on_request
// CONFLICT always: on_b on_request
// CONFLICT always: on_b on_b

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>

#include "server.h"
HANDLER(on_b) {
  (void)what;
  (void)arg;
  send(fd, "x", 1, 0);
  send(fd, "y", 1, 0);
}
static void on_request(struct evhttp_request *req, void *arg) {
  int n = bufferevent_getfd(evhttp_connection_get_bufferevent(evhttp_request_get_connection(req)));
  event_add(event_new(base, n, EV_WRITE, on_b, NULL), NULL);
  evhttp_send_reply(req, 200, "OK", NULL);
}
int main(void) {
  base = event_base_new();
  struct evhttp *h = evhttp_new(base);
  evhttp_bind_socket(h, "127.0.0.1", 0);
  evhttp_set_gencb(h, on_request, NULL);
  return event_base_dispatch(base);
}
