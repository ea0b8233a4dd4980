// Whoever has locked a bufferevent may run a loop: its handlers may use that, on the same thread.
#include <event2/bufferevent.h>
#include <event2/thread.h>

#include "server.h"

static struct bufferevent *shared;

HANDLER(on_use) {
  UNUSED;
  bufferevent_write(shared, "text", 4);
}
// PINNED: on_use by bufferevent_write
// CONFLICT always: on_use on_use

int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  shared = bufferevent_socket_new(base, 4, BEV_OPT_THREADSAFE);
  when_readable(3, on_use, NULL);
  bufferevent_lock(shared);
  event_base_dispatch(base);
  bufferevent_unlock(shared);
  return 0;
}
