// evhttp_set_default_content_type() keeps the text itself, which each answer reads.
// CONFLICT always: on_change on_change
// CONFLICT always: on_change on_http
// SAFE: on_http on_http
#include <event2/http.h>

#include "server.h"

static char type[20] = "text/plain";

static void on_http(struct evhttp_request *request, void *arg) {
  (void)arg;
  evhttp_send_reply(request, 200, "OK", NULL);
}

HANDLER(on_change) {
  UNUSED;
  memcpy(type, "image/jpeg", 11);
}

int main(void) {
  base = event_base_new();
  struct evhttp *http = evhttp_new(base);
  evhttp_set_default_content_type(http, type);
  evhttp_set_gencb(http, on_http, NULL);
  evhttp_bind_socket(http, "127.0.0.1", 0);
  when_readable(3, on_change, NULL);
  return event_base_dispatch(base);
}
