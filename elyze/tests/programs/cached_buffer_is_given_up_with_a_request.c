// An answer that refers to a buffer counts in it: a request that is freed counts down.
// CONFLICT always: done done: *cached
// CONFLICT always: done on_a: *cached
// CONFLICT always: done on_b: *cached
// CONFLICT always: on_a on_a: *cached
// CONFLICT always: on_a on_b: *cached
// CONFLICT always: on_b on_b: *cached

#include <event2/buffer.h>
#include <event2/http.h>

#include "server.h"
static struct evbuffer *cached;
static struct evhttp_request *g;
HANDLER(on_a) {
  UNUSED;
  evhttp_request_free(g);
}
HANDLER(on_b) {
  UNUSED;
  evbuffer_drain(cached, 4);
  evbuffer_add(cached, "x", 1);
}
static void done(struct evhttp_request *req, void *arg) {}
int main(int argc, char **argv) {
  base = event_base_new();
  cached = evbuffer_new();
  evbuffer_add(cached, "abc", 3);
  g = evhttp_request_new(done, NULL);
  evbuffer_add_buffer_reference(evhttp_request_get_output_buffer(g), cached);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
