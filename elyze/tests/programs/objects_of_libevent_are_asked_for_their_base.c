// What an object is asked for stands in it: whoever frees it must not do so meanwhile.
// CONFLICT always: on_connection on_gone: connection
// CONFLICT always: on_listener on_closed: listener
// SAFE: on_connection on_listener
// SAFE: on_connection on_closed
// SAFE: on_listener on_gone
#include <event2/http.h>
#include <event2/listener.h>

#include "server.h"

static struct evhttp_connection *connection;
static struct evconnlistener *listener;

HANDLER(on_connection) {
  UNUSED;
  if (evhttp_connection_get_base(connection) == NULL) abort();
}
HANDLER(on_gone) {
  UNUSED;
  evhttp_connection_free(connection);
}
HANDLER(on_listener) {
  UNUSED;
  if (evconnlistener_get_base(listener) == NULL) abort();
}
HANDLER(on_closed) {
  UNUSED;
  evconnlistener_free(listener);
}

int main(void) {
  struct sockaddr here = {.sa_family = AF_INET};
  base = event_base_new();
  connection = evhttp_connection_base_new(base, NULL, "127.0.0.1", 80);
  listener = evconnlistener_new_bind(base, NULL, NULL, 0, 8, &here, sizeof here);
  when_readable(3, on_connection, NULL);
  when_readable(4, on_listener, NULL);
  event_base_once(base, -1, EV_TIMEOUT, on_gone, NULL, NULL);
  event_base_once(base, -1, EV_TIMEOUT, on_closed, NULL, NULL);
  return event_base_dispatch(base);
}
