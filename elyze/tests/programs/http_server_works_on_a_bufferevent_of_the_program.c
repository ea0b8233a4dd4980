// What the program gives a server to carry a connection is the server's to read and write, so whoever keeps it conflicts
// with the callback that made it.
// CONFLICT always: on_carrier on_carrier: newest
// CONFLICT always: on_carrier on_tick: newest
// CONFLICT always: on_tick on_tick: block from bufferevent_socket_new
// SAFE: on_carrier on_hello
// SAFE: on_hello on_hello
// SAFE: on_hello on_tick
// Its own as long as nobody else gets it.
// SAFE: on_plain on_plain
// SAFE: on_plain on_carrier
// SAFE: on_plain on_tick

#include <event2/bufferevent.h>
#include <event2/http.h>

#include "server.h"

static struct bufferevent *newest;

static struct bufferevent *on_carrier(struct event_base *of, void *arg) {
  (void)arg;
  newest = bufferevent_socket_new(of, -1, BEV_OPT_CLOSE_ON_FREE);
  return newest;
}

static struct bufferevent *on_plain(struct event_base *of, void *arg) {
  (void)arg;
  return bufferevent_socket_new(of, -1, BEV_OPT_CLOSE_ON_FREE);
}

static void on_hello(struct evhttp_request *request, void *arg) {
  (void)arg;
  evhttp_send_reply(request, 200, "OK", NULL);
}

HANDLER(on_tick) {
  (void)fd, (void)what, (void)arg;
  bufferevent_disable(newest, EV_READ);
}

int main(void) {
  base = event_base_new();
  struct evhttp *http = evhttp_new(base);
  evhttp_bind_socket(http, "127.0.0.1", 8080);
  evhttp_set_bevcb(http, on_carrier, NULL);
  evhttp_set_bevcb(evhttp_new(base), on_plain, NULL);
  evhttp_set_cb(http, "/hello", on_hello, NULL);
  when_readable(3, on_tick, NULL);
  return event_base_dispatch(base);
}
