// possible: second\n=0
// The read callback is set anew before any poll.
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static struct bufferevent* b;
static int s[2];
static void first(struct bufferevent* me, void* arg) { (void)me, (void)arg; puts("first"); event_base_loopbreak(base); }
static void second(struct bufferevent* me, void* arg) { (void)me, (void)arg; puts("second"); event_base_loopbreak(base); }
HANDLER(on_a) { UNUSED; (void)!write(s[1], "x", 1); take(60); bufferevent_setcb(b, second, NULL, NULL, NULL); }
int main(void) {
  base = event_base_new();
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0) return 2;
  evutil_make_socket_nonblocking(s[0]);
  b = bufferevent_socket_new(base, s[0], 0);
  bufferevent_setcb(b, first, NULL, NULL, NULL);
  bufferevent_enable(b, EV_READ);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
