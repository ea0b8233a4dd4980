// possible: got 5\nend\n=0
// flags: -pthread
#include "p.h"
#include <event2/bufferevent.h>
static struct bufferevent* pair[2];
static void on_read(struct bufferevent* b, void* arg) {
  (void)arg;
  char text[8];
  printf("got %d\n", (int)bufferevent_read(b, text, sizeof text));
  event_base_loopbreak(base);
}
HANDLER(on_a) { UNUSED; bufferevent_write(pair[0], "hello", 5); }
int main(void) {
  evthread_use_pthreads();
  evthread_enable_lock_debugging();
  base = event_base_new();
  bufferevent_pair_new(base, BEV_OPT_THREADSAFE | BEV_OPT_DEFER_CALLBACKS | BEV_OPT_UNLOCK_CALLBACKS, pair);
  bufferevent_setcb(pair[1], on_read, NULL, NULL, NULL);
  bufferevent_enable(pair[1], EV_READ);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
