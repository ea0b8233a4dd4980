// possible: accepted\npause\naccepted\n=0
#include "p.h"
#include <event2/listener.h>
static struct evconnlistener* l;
static int n;
HANDLER(go_on) { UNUSED; puts("pause"); evconnlistener_enable(l); }
static void on_accept(struct evconnlistener* me, evutil_socket_t s, struct sockaddr* a, int size, void* arg) {
  (void)a, (void)size, (void)arg;
  puts("accepted");
  close(s);
  evconnlistener_disable(me);
  if (++n == 2) { evconnlistener_free(me); return; }
  due_in(60, go_on, NULL);
}
int main(void) {
  base = event_base_new();
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof a;
  l = evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, 8, (struct sockaddr*)&a, size);
  getsockname(evconnlistener_get_fd(l), (struct sockaddr*)&a, &size);
  for (int i = 0; i < 2; ++i) (void)!connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr*)&a, size);
  due(base, spare, NULL);
  event_base_dispatch(base);
  return 0;
}
