// A listener is not locked against those who change it: whoever does has to wait for its callback.
#include <arpa/inet.h>
#include <event2/listener.h>
#include <netinet/in.h>

#include "server.h"

static struct evconnlistener* listener;
static void on_accept(struct evconnlistener* from, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)from, (void)address, (void)length, (void)arg;
  evutil_closesocket(fd);
}
HANDLER(on_pause) {
  UNUSED;
  evconnlistener_disable(listener);
}
// SAFE: on_accept on_accept
// CONFLICT always: on_accept on_pause: listeners of libevent
// CONFLICT always: on_pause on_pause: listeners of libevent

static struct evconnlistener* listen_on(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  return evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address,
                                 sizeof address);
}

int main(void) {
  base = event_base_new();
  listener = listen_on(8080);
  listen_on(8081);
  when_readable(3, on_pause, NULL);
  return event_base_dispatch(base);
}
