// The loop accepts from the socket that a server was given, and so does a handler: they take each other's connections.
// SAFE: on_http on_http
// CONFLICT always: on_http on_take
// CONFLICT always: on_take on_take
#include <event2/http.h>

#include "server.h"

static int server;

static void on_http(struct evhttp_request *request, void *arg) {
  (void)arg;
  evhttp_send_reply(request, 200, "OK", NULL);
}

HANDLER(on_take) {
  UNUSED;
  const int one = accept(server, NULL, NULL), two = accept(server, NULL, NULL);
  close(one);
  close(two);
}

int main(void) {
  base = event_base_new();
  server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  listen(server, 5);
  struct evhttp *http = evhttp_new(base);
  evhttp_set_gencb(http, on_http, NULL);
  evhttp_accept_socket(http, server);
  when_readable(3, on_take, NULL);
  return event_base_dispatch(base);
}
