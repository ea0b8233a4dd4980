// possible: read 2\n=0
// Two messages of one handler over a pair with deferred callbacks: one call of the read callback.
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static struct bufferevent* pair[2];
static void on_read(struct bufferevent* b, void* arg) {
  (void)arg;
  char text[8];
  printf("read %d\n", (int)bufferevent_read(b, text, sizeof text));
}
HANDLER(on_a) { UNUSED; bufferevent_write(pair[0], "1", 1); take(60); bufferevent_write(pair[0], "2", 1); }
HANDLER(last) { UNUSED; event_base_loopbreak(base); }
int main(void) {
  base = event_base_new();
  bufferevent_pair_new(base, BEV_OPT_DEFER_CALLBACKS, pair);
  bufferevent_setcb(pair[1], on_read, NULL, NULL, NULL);
  bufferevent_enable(pair[1], EV_READ);
  bufferevent_enable(pair[0], EV_WRITE);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(200, last, NULL);
  event_base_dispatch(base);
  return 0;
}
