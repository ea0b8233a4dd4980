// The output of a request refers to a shared page, which is changed where evbuffer_pullup() shows it.
// CONFLICT always: on_get on_get: page
// CONFLICT always: on_get on_b: page
// CONFLICT always: on_b on_b: page
#include <event2/buffer.h>
#include <event2/http.h>
#include "server.h"
static char page[64];
static void on_get(struct evhttp_request* request, void* arg) {
  (void)arg;
  struct evbuffer* out = evhttp_request_get_output_buffer(request);
  evbuffer_add_reference(out, page, sizeof page, NULL, NULL);
  evbuffer_pullup(out, -1)[0]++;
  evhttp_send_reply(request, 200, "OK", NULL);
}
HANDLER(on_b) {
  UNUSED;
  page[0]++;
}
int main(void) {
  base = event_base_new();
  struct evhttp* server = evhttp_new(base);
  evhttp_bind_socket(server, "127.0.0.1", 8080);
  evhttp_set_gencb(server, on_get, NULL);
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
