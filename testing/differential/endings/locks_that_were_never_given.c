/* Who gives libevent no locks cannot lock buffers, and gets no bufferevents for several threads. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "small.h"

HANDLER(on_try) {
  UNUSED;
  struct evbuffer* buffer = evbuffer_new();
  struct bufferevent* pair[2];
  printf("%d %s %d\n", evbuffer_enable_locking(buffer, NULL),
         bufferevent_socket_new(base, -1, BEV_OPT_THREADSAFE) == NULL ? "none" : "one",
         bufferevent_pair_new(base, BEV_OPT_THREADSAFE, pair));
  evbuffer_free(buffer);
}
HANDLER(on_other) { UNUSED; }

int main(void) {
  base = event_base_new();
  due(base, on_other, NULL);
  due(base, on_try, NULL);
  event_base_dispatch(base);
  return 0;
}
