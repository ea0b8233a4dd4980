// The loop empties and fills a connection's buffers while somebody else looks at them.
// CONFLICT always: on_get on_tick: connections of evhttp
#include "server.h"
#include <event2/http.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static struct evbuffer* out;
static void on_get(struct evhttp_request* req, void* arg) {
  (void)arg;
  struct bufferevent* b = evhttp_connection_get_bufferevent(evhttp_request_get_connection(req));
  out = bufferevent_get_output(b);
  evhttp_send_reply(req, 200, "OK", NULL);
}
static size_t last;
static void on_get2(struct evhttp_request* req, void* arg) {
  (void)arg;
  evhttp_send_reply(req, 200, "OK", NULL);
}
// CONFLICT always: on_get2 on_tick: connections of evhttp
HANDLER(on_tick) {
  UNUSED;
  if (out) last = evbuffer_get_length(out);
}
int main(void) {
  base = event_base_new();
  struct evhttp* h = evhttp_new(base);
  evhttp_set_cb(h, "/", on_get, NULL);
  evhttp_set_cb(h, "/2", on_get2, NULL);
  when_readable(4, on_tick, NULL);
  event_base_dispatch(base);
}
