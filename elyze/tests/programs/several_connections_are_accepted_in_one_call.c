// A listener accepts all that have connected, in one call: nothing comes between what it prints of two of them.
// CONFLICT always: on_accept on_tick: stream stdout
// CONFLICT always: on_accept on_accept
// SAFE: on_tick on_tick
#include <event2/listener.h>
#include <netinet/in.h>

#include "server.h"

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address, int length,
                      void *arg) {
  (void)listener, (void)address, (void)length, (void)arg;
  puts("a connection");
  close(fd);
}

HANDLER(on_tick) {
  UNUSED;
  puts("a tick");
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  base = event_base_new();
  setvbuf(stdout, NULL, _IOLBF, 0);
  evconnlistener_new_bind(base, on_accept, NULL, 0, 16, (struct sockaddr *)&address, sizeof address);
  when_readable(3, on_tick, NULL);
  return event_base_dispatch(base);
}
