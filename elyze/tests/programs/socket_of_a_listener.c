// A listener hands out the socket that it was made with, each time the same.
// CONFLICT always: on_tune on_tune: socket
// CONFLICT always: on_tune on_accept: socket
// SAFE: on_accept on_accept
#include <event2/listener.h>
#include <netinet/in.h>

#include "server.h"

static struct evconnlistener* listener;

static void on_accept(struct evconnlistener* from, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)address, (void)length, (void)arg;
  int size = 0;
  socklen_t bytes = sizeof size;
  getsockopt(evconnlistener_get_fd(from), SOL_SOCKET, SO_RCVBUF, &size, &bytes);
  close(fd);
}

HANDLER(on_tune) {
  UNUSED;
  int size = 4096;
  setsockopt(evconnlistener_get_fd(listener), SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  base = event_base_new();
  listener =
      evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  when_readable(3, on_tune, NULL);
  return event_base_dispatch(base);
}
