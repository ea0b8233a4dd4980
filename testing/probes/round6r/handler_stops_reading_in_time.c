// possible: end\n=0
// Disabled in the handler that is due before any poll: what came meanwhile is not read.
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static struct bufferevent* b;
static int s[2];
static void on_read(struct bufferevent* me, void* arg) { (void)me, (void)arg; puts("read"); }
HANDLER(on_a) { UNUSED; (void)!write(s[1], "x", 1); take(60); bufferevent_disable(b, EV_READ); }
HANDLER(last) { UNUSED; puts("end"); event_base_loopbreak(base); }
int main(void) {
  base = event_base_new();
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0) return 2;
  evutil_make_socket_nonblocking(s[0]);
  b = bufferevent_socket_new(base, s[0], 0);
  bufferevent_setcb(b, on_read, NULL, NULL, NULL);
  bufferevent_enable(b, EV_READ);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(150, last, NULL);
  event_base_dispatch(base);
  return 0;
}
