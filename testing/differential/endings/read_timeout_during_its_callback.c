/* The callback of a bufferevent takes longer than its timeout, and sets that anew at its end. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "small.h"

HANDLER(on_spare) { UNUSED; }

static void on_read(struct bufferevent* from, void* unused) {
  struct timeval later = {3600, 0};
  (void)unused;
  evbuffer_drain(bufferevent_get_input(from), 100);
  take(120);
  bufferevent_set_timeouts(from, &later, NULL);
  say("read\n");
}

static void on_state(struct bufferevent* of, short what, void* unused) {
  (void)of, (void)unused;
  say(what & BEV_EVENT_TIMEOUT ? "timeout\n" : "state\n");
}

int main(void) {
  int end[2];
  struct timeval soon = {0, 40000};
  struct timeval stop = {0, 300000};
  base = event_base_new();
  if (evutil_socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0) return 2;
  evutil_make_socket_nonblocking(end[0]);
  struct bufferevent* from = bufferevent_socket_new(base, end[0], 0);
  bufferevent_setcb(from, on_read, NULL, on_state, NULL);
  bufferevent_set_timeouts(from, &soon, NULL);
  bufferevent_enable(from, EV_READ);
  if (write(end[1], "x", 1) != 1) return 2;
  due(base, on_spare, NULL);
  event_base_loopexit(base, &stop);
  event_base_dispatch(base);
  return 0;
}
