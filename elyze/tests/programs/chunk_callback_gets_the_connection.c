// The callback of a chunk gets the connection of the request, which is no new one.
// SAFE: on_request on_request
// CONFLICT always: on_b on_request
// CONFLICT always: on_chunk on_request
// CONFLICT always: on_b on_b
// CONFLICT always: on_b on_chunk
// CONFLICT always: on_chunk on_chunk

#include <event2/buffer.h>
#include <event2/http.h>

#include "server.h"
static struct evhttp_connection *g;
static void on_chunk(struct evhttp_connection *c, void *arg) {
  evhttp_connection_set_timeout(c, 1);
  evhttp_connection_set_timeout(c, 3);
}
HANDLER(on_b) {
  UNUSED;
  evhttp_connection_set_timeout(arg, 2);
}
static void on_request(struct evhttp_request *req, void *arg) {
  struct evbuffer *b = evbuffer_new();
  event_add(event_new(base, 3, EV_READ, on_b, evhttp_request_get_connection(req)), NULL);
  evhttp_send_reply_start(req, 200, "OK");
  evhttp_send_reply_chunk_with_cb(req, b, on_chunk, req);
}
int main(void) {
  base = event_base_new();
  struct evhttp *h = evhttp_new(base);
  evhttp_bind_socket(h, "127.0.0.1", 0);
  evhttp_set_gencb(h, on_request, NULL);
  return event_base_dispatch(base);
}
