// An answer refers to a shared page: the loop reads it when it sends, as events of the request's handler.
// CONFLICT always: on_get on_b: page
// SAFE: on_get on_get
// CONFLICT always: on_b on_b: page
#include <event2/buffer.h>
#include <event2/http.h>
#include "server.h"
static char page[64];
static void on_get(struct evhttp_request* request, void* arg) {
  (void)arg;
  struct evbuffer* body = evbuffer_new();
  evbuffer_add_reference(body, page, sizeof page, NULL, NULL);
  evhttp_send_reply(request, 200, "OK", body);
  evbuffer_free(body);
}
HANDLER(on_b) {
  UNUSED;
  page[0]++;
  page[1]++;
}
int main(void) {
  base = event_base_new();
  struct evhttp* server = evhttp_new(base);
  evhttp_bind_socket(server, "127.0.0.1", 8080);
  evhttp_set_gencb(server, on_get, NULL);
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
