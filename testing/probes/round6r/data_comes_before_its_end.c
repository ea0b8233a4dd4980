// possible: (data\nend 17\n){4}=0
#include "p.h"
#include <event2/bufferevent.h>
static int left = 4;
static void on_read(struct bufferevent* b, void* arg) {
  (void)arg;
  char t[8];
  bufferevent_read(b, t, sizeof t);
  take(30);
  puts("data");
}
static void on_event(struct bufferevent* b, short what, void* arg) { (void)arg; printf("end %d\n", what); bufferevent_free(b); if (--left == 0) event_base_loopbreak(base); }
HANDLER(next) {
  UNUSED;
  int s[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) != 0) exit(2);
  evutil_make_socket_nonblocking(s[0]);
  struct bufferevent* b = bufferevent_socket_new(base, s[0], BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
  bufferevent_setcb(b, on_read, NULL, on_event, NULL);
  bufferevent_enable(b, EV_READ);
  (void)!write(s[1], "x", 1);
  close(s[1]);
  if (arg) due_in(100, next, (char*)arg - 1);
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, next, (char*)NULL + 3);
  event_base_dispatch(base);
  return 0;
}
