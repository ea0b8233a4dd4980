// evconnlistener_new() calls listen() on the socket that it is given, which gives it an address if it has none.
// CONFLICT always: on_listen on_listen
// CONFLICT always: on_listen on_ask
// CONFLICT always: on_listen on_accept
// CONFLICT always: on_accept on_accept
// CONFLICT always: on_accept on_ask
// SAFE: on_ask on_ask
#include <event2/listener.h>
#include <netinet/in.h>

#include "server.h"

static int server;

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address, int length,
                      void *arg) {
  (void)listener, (void)address, (void)length, (void)arg;
  close(fd);
}

HANDLER(on_listen) {
  UNUSED;
  evconnlistener_new(base, on_accept, NULL, 0, 5, server);
}

HANDLER(on_ask) {
  UNUSED;
  struct sockaddr_in one = {0}, two = {0};
  socklen_t length = sizeof one;
  getsockname(server, (struct sockaddr *)&one, &length);
  getsockname(server, (struct sockaddr *)&two, &length);
  if (one.sin_port != two.sin_port) abort();
}

int main(void) {
  base = event_base_new();
  server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  when_readable(3, on_listen, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
