// possible: -1 none none\n=0
// A program that gave libevent no threads gets no buffers with locks.
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/listener.h>
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  event_base_dispatch(base);
  int r = evbuffer_enable_locking(evbuffer_new(), NULL);
  struct bufferevent* v = bufferevent_socket_new(base, -1, BEV_OPT_THREADSAFE);
  struct bufferevent* pair[2] = {NULL, NULL};
  bufferevent_pair_new(base, BEV_OPT_THREADSAFE, pair);
  printf("%d %s %s\n", r, v ? "made" : "none", pair[0] ? "made" : "none");
  return 0;
}
