// possible: 12\n=0
// Two writes to a bufferevent are one piece at the other end, for it is sent after the handler.
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static struct bufferevent* out;
HANDLER(on_a) {
  UNUSED;
  bufferevent_write(out, "1", 1);
  take(80);
  bufferevent_write(out, "2", 1);
}
static void on_read(struct bufferevent* b, void* arg) {
  (void)arg;
  char text[8] = {0};
  bufferevent_read(b, text, 7);
  puts(text);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  int end[2];
  evutil_socketpair(AF_UNIX, SOCK_STREAM, 0, end);
  evutil_make_socket_nonblocking(end[0]), evutil_make_socket_nonblocking(end[1]);
  out = bufferevent_socket_new(base, end[1], 0);
  struct bufferevent* in = bufferevent_socket_new(base, end[0], 0);
  bufferevent_setcb(in, on_read, NULL, NULL, NULL);
  bufferevent_enable(in, EV_READ);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
