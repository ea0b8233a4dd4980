// The loop empties and fills a connection's buffers while somebody else looks at them.
// CONFLICT always: on_get on_tick: connections of evhttp
// CONFLICT always: on_stream on_tick: connections of evhttp
#include "server.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
static struct bufferevent* streaming;
static char head[16];
static void on_stream(struct evhttp_request* req, void* arg) {
  (void)arg;
  streaming = evhttp_connection_get_bufferevent(evhttp_request_get_connection(req));
  evhttp_send_reply(req, 200, "OK", NULL);
}
static void on_get(struct evhttp_request* req, void* arg) {
  (void)arg;
  evhttp_send_reply(req, 200, "OK", NULL);
}
HANDLER(on_tick) {
  UNUSED;
  if (streaming) evbuffer_copyout(bufferevent_get_output(streaming), head, sizeof head);
}
int main(void) {
  base = event_base_new();
  struct evhttp* h = evhttp_new(base);
  evhttp_set_cb(h, "/s", on_stream, NULL);
  evhttp_set_cb(h, "/", on_get, NULL);
  when_readable(4, on_tick, NULL);
  event_base_dispatch(base);
}
