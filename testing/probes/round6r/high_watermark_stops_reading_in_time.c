// possible: read 2\nend\n=0
// The watermark is set before any poll: two octets at most are read.
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static struct bufferevent* b;
static int s[2];
static void on_read(struct bufferevent* me, void* arg) { (void)arg; printf("read %d\n", (int)evbuffer_get_length(bufferevent_get_input(me))); bufferevent_disable(me, EV_READ); }
HANDLER(on_a) { UNUSED; (void)!write(s[1], "xxxxxx", 6); take(60); bufferevent_setwatermark(b, EV_READ, 0, 2); }
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
