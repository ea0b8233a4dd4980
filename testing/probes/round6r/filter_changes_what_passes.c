// possible: HELLO\nend 17\n=0
#include "p.h"
#include <ctype.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
static enum bufferevent_filter_result in(struct evbuffer* from, struct evbuffer* to, ev_ssize_t n, enum bufferevent_flush_mode m, void* arg) {
  (void)n, (void)m, (void)arg;
  char c;
  while (evbuffer_remove(from, &c, 1) == 1) { c = toupper(c); evbuffer_add(to, &c, 1); }
  return BEV_OK;
}
static void on_read(struct bufferevent* b, void* arg) { (void)arg; char t[9] = ""; if (evbuffer_get_length(bufferevent_get_input(b)) < 5) return; bufferevent_read(b, t, 8); puts(t); }
static void on_event(struct bufferevent* b, short what, void* arg) { (void)b, (void)arg; printf("end %d\n", what); event_base_loopbreak(base); }
static int s[2];
HANDLER(on_a) { UNUSED; (void)!write(s[1], "he", 2); take(40); (void)!write(s[1], "llo", 3); close(s[1]); }
int main(void) {
  base = event_base_new();
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0) return 2;
  evutil_make_socket_nonblocking(s[0]);
  struct bufferevent* b = bufferevent_filter_new(bufferevent_socket_new(base, s[0], 0), in, NULL, BEV_OPT_CLOSE_ON_FREE, NULL, NULL);
  bufferevent_setcb(b, on_read, NULL, on_event, NULL);
  bufferevent_enable(b, EV_READ);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
