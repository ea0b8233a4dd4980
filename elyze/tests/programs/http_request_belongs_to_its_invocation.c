// Replying writes the request that the library handed to this invocation; the page counter is shared.
// SAFE: on_hello on_hello
// SAFE: on_count on_hello
// CONFLICT always: on_count on_count: pages

#include <event2/event.h>
#include <event2/http.h>
#include <stddef.h>

static long pages;

static void on_hello(struct evhttp_request* request, void* arg) {
  (void)arg;
  evhttp_send_reply(request, 200, "OK", NULL);
}

static void on_count(struct evhttp_request* request, void* arg) {
  (void)arg;
  pages++;
  evhttp_send_reply(request, 200, "OK", NULL);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct evhttp* http = evhttp_new(base);
  evhttp_bind_socket(http, "127.0.0.1", 8080);
  evhttp_set_cb(http, "/hello", on_hello, NULL);
  evhttp_set_gencb(http, on_count, NULL);
  return event_base_dispatch(base);
}
