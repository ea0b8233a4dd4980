// evhttp_free() closes the socket that evhttp_accept_socket() got.
// CONFLICT always: on_stop on_stop
// CONFLICT always: on_stop on_ask
// SAFE: on_ask on_ask
#include <event2/http.h>
#include <netinet/in.h>

#include "server.h"

static int server;
static struct evhttp *http;

HANDLER(on_stop) {
  UNUSED;
  evhttp_free(http);
}

HANDLER(on_ask) {
  UNUSED;
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  const int one = getsockname(server, (struct sockaddr *)&address, &length);
  if (getsockname(server, (struct sockaddr *)&address, &length) != one) abort();
}

int main(void) {
  base = event_base_new();
  server = socket(AF_INET, SOCK_STREAM, 0);
  listen(server, 5);
  http = evhttp_new(base);
  evhttp_accept_socket(http, server);
  when_readable(3, on_stop, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
