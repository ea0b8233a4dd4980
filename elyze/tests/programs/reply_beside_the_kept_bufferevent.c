// What the server's callback makes takes the answer.
// CONFLICT always: make make: last
// CONFLICT always: make on_b: last
// CONFLICT always: make on_request
// CONFLICT always: make on_a
// CONFLICT always: on_b on_b: seen
// CONFLICT always: on_b on_request
// CONFLICT always: on_a on_b
// SAFE: on_request on_request
// CONFLICT always: on_a on_request
// CONFLICT always: on_a on_a

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>

#include "server.h"
static struct bufferevent *last;
static long seen;
HANDLER(on_b) {
  UNUSED;
  seen = evbuffer_get_length(bufferevent_get_output(last));
  seen += evbuffer_get_length(bufferevent_get_output(last));
}
HANDLER(on_a) {
  UNUSED;
  struct evbuffer *b = evbuffer_new();
  evbuffer_add(b, "a", 1);
  evhttp_send_reply_chunk(arg, b);
  evbuffer_add(b, "a", 1);
  evhttp_send_reply_chunk(arg, b);
  evbuffer_free(b);
}
static void on_request(struct evhttp_request *req, void *arg) {
  evhttp_send_reply_start(req, 200, "OK");
  event_add(event_new(base, 3, EV_READ, on_a, req), NULL);
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
