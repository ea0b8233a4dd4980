// A pointer to what is shared is put into the request, which belongs to the invocation, and loaded from there.
// CONFLICT always: on_get on_get: shared.hits
// CONFLICT always: on_get on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include <event2/http.h>
#include <event2/http_struct.h>
#include "server.h"
struct item {
  long hits;
};
static struct item shared;
static void put(struct evhttp_request* request) { request->on_complete_cb_arg = &shared; }
static void count(struct evhttp_request* request) { ((struct item*)request->on_complete_cb_arg)->hits++; }
static void on_get(struct evhttp_request* request, void* arg) {
  (void)arg;
  put(request);
  evhttp_send_reply(request, 200, "OK", NULL);
  count(request);
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  struct evhttp* server = evhttp_new(base);
  evhttp_bind_socket(server, "127.0.0.1", 8080);
  evhttp_set_gencb(server, on_get, NULL);
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
