// CONFLICT always: on_http on_b: an answer takes the bytes out of a filter's input, which then reads on: its functions
// are an answer takes the bytes out of a filter's input, which then reads on: its functions are called Schedule:
// on_http's answer runs pass(), which counts; B takes the count half done. Serial: no count is lost.
#include "server.h"
#include <event2/http.h>
#include <event2/bufferevent.h>
#include <event2/buffer.h>
static int n, taken;
static struct bufferevent* f;
static enum bufferevent_filter_result pass(struct evbuffer* s, struct evbuffer* d, ev_ssize_t l,
                                           enum bufferevent_flush_mode m, void* c) {
  n++;
  evbuffer_add_buffer(d, s);
  return BEV_OK;
}
static void on_http(struct evhttp_request* r, void* arg) { evhttp_send_reply(r, 200, "OK", bufferevent_get_input(f)); }
HANDLER(on_a) { UNUSED; }
HANDLER(on_b) {
  UNUSED;
  taken += n;
  n = 0;
}
int main(void) {
  base = event_base_new();
  struct bufferevent* b = bufferevent_socket_new(base, 7, 0);
  f = bufferevent_filter_new(b, pass, NULL, 0, NULL, NULL);
  bufferevent_enable(f, EV_READ);
  struct evhttp* h = evhttp_new(base);
  evhttp_set_gencb(h, on_http, NULL);
  evhttp_bind_socket(h, "127.0.0.1", 8080);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
