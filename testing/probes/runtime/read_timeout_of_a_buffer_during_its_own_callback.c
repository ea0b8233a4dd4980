// possible: read\nend\n=0
// The callback takes longer than the timeout, and sets it anew at its end: it never strikes before data is there again.
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static void on_read(struct bufferevent* b, void* arg) {
  (void)arg;
  struct timeval t = {3600, 0};
  evbuffer_drain(bufferevent_get_input(b), 100);
  take(150);
  bufferevent_set_timeouts(b, &t, NULL);
  puts("read");
}
static void on_state(struct bufferevent* b, short what, void* arg) {
  (void)b, (void)arg;
  printf("state %d\n", what);
}
int main(void) {
  base = event_base_new();
  int end[2];
  evutil_socketpair(AF_UNIX, SOCK_STREAM, 0, end);
  evutil_make_socket_nonblocking(end[0]);
  struct bufferevent* in = bufferevent_socket_new(base, end[0], 0);
  bufferevent_setcb(in, on_read, NULL, on_state, NULL);
  struct timeval t = {0, 50000};
  bufferevent_set_timeouts(in, &t, NULL);
  bufferevent_enable(in, EV_READ);
  if (write(end[1], "x", 1) != 1) return 1;
  due(base, spare, NULL);
  struct timeval stop = {0, 400000};
  event_base_loopexit(base, &stop);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
