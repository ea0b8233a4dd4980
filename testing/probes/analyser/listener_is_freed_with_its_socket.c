// The listener closes its socket when it is freed; another handler accepts from that socket by itself.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b
#include <event2/listener.h>
#include "server.h"
static struct evconnlistener* listener;
static int place;
static _Atomic int accepted;
static void on_accept(struct evconnlistener* from, evutil_socket_t fd, struct sockaddr* who, int size, void* arg) {
  (void)from, (void)who, (void)size, (void)arg;
  close(fd);
}
HANDLER(on_a) {
  UNUSED;
  evconnlistener_free(listener);
}
HANDLER(on_b) {
  UNUSED;
  int got = accept(place, NULL, NULL), more = accept(place, NULL, NULL);
  if (got >= 0 && more >= 0) accepted++;
}
// CONFLICT always: on_a on_accept
// SAFE: on_accept on_accept
// SAFE: on_b on_accept
int main(void) {
  base = event_base_new();
  place = socket(AF_INET, SOCK_STREAM, 0);
  listener = evconnlistener_new(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, 9, place);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
