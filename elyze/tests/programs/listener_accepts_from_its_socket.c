// The loop accepts from the socket of a listener before it calls the callback: whoever polls the socket sees it.
// CONFLICT always: on_accept on_accept
// CONFLICT always: on_accept on_poll
// SAFE: on_poll on_poll
#include <event2/listener.h>
#include <poll.h>

#include "server.h"

static int server;

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address, int length,
                      void *arg) {
  (void)listener, (void)address, (void)length, (void)arg;
  close(fd);
}

HANDLER(on_poll) {
  UNUSED;
  struct pollfd one = {server, POLLIN, 0}, two = one;
  poll(&one, 1, 0);
  poll(&two, 1, 0);
  if (one.revents != two.revents) abort();
}

int main(void) {
  base = event_base_new();
  server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  evconnlistener_new(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, 5, server);
  when_readable(3, on_poll, NULL);
  return event_base_dispatch(base);
}
