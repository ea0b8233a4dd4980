// A server's paths have no lock: whoever changes them conflicts with all that it serves.
// SAFE: on_hello on_hello
// CONFLICT always: on_hello on_reload: servers of evhttp
// CONFLICT always: on_reload on_reload: servers of evhttp

#include <event2/http.h>

#include "server.h"

static struct evhttp* http;

static void on_hello(struct evhttp_request* request, void* arg) {
  (void)arg;
  evhttp_send_reply(request, 200, "OK", NULL);
}

HANDLER(on_reload) {
  (void)fd, (void)what, (void)arg;
  evhttp_del_cb(http, "/hello");
  evhttp_set_cb(http, "/hello", on_hello, NULL);
}

int main(void) {
  base = event_base_new();
  http = evhttp_new(base);
  evhttp_bind_socket(http, "127.0.0.1", 8080);
  evhttp_set_cb(http, "/hello", on_hello, NULL);
  when_readable(3, on_reload, NULL);
  return event_base_dispatch(base);
}
