// possible: timeout\n(read\n)?=0
// Both the data and the end of the time are found by the poll after the handler; libevent says the timeout only, first.
#include "p.h"
#include <event2/bufferevent.h>
static int s[2], shared;
static void on_read(struct bufferevent* b, void* arg) { (void)b, (void)arg; ++shared; puts("read"); event_base_loopbreak(base); }
static void on_event(struct bufferevent* b, short what, void* arg) { (void)b, (void)arg; ++shared; puts(what & BEV_EVENT_TIMEOUT ? "timeout" : "other"); event_base_loopbreak(base); }
HANDLER(on_a) { UNUSED; ++shared; take(30); (void)!write(s[1], "x", 1); take(60); }
int main(void) {
  base = event_base_new();
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0) return 2;
  evutil_make_socket_nonblocking(s[0]);
  struct bufferevent* b = bufferevent_socket_new(base, s[0], 0);
  struct timeval t = {0, 60000};
  bufferevent_setcb(b, on_read, NULL, on_event, NULL);
  bufferevent_set_timeouts(b, &t, NULL);
  bufferevent_enable(b, EV_READ);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
