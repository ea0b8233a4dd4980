// possible: read 3\nend\n=0
// bufferevent_trigger() within a handler, deferred: one call of the read callback, for all that came.
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static struct bufferevent* b;
static void on_read(struct bufferevent* me, void* arg) { (void)arg; printf("read %d\n", (int)evbuffer_get_length(bufferevent_get_input(me))); }
HANDLER(on_a) {
  UNUSED;
  for (int i = 0; i < 3; ++i) {
    bufferevent_lock(b);
    evbuffer_unfreeze(bufferevent_get_input(b), 0);
    evbuffer_add(bufferevent_get_input(b), "x", 1);
    bufferevent_unlock(b);
    bufferevent_trigger(b, EV_READ, BEV_OPT_DEFER_CALLBACKS);
    take(20);
  }
}
int main(void) {
  base = event_base_new();
  b = bufferevent_socket_new(base, -1, 0);
  bufferevent_setcb(b, on_read, NULL, NULL, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_loop(base, EVLOOP_ONCE);
  puts("end");
  return 0;
}
