// possible: end\n=0
#include "p.h"
#include <event2/listener.h>
static struct evconnlistener* l;
static struct sockaddr_in a = {.sin_family = AF_INET};
static socklen_t size = sizeof a;
static void on_accept(struct evconnlistener* me, evutil_socket_t s, struct sockaddr* f, int n, void* arg) { (void)me, (void)s, (void)f, (void)n, (void)arg; puts("accepted"); }
HANDLER(on_a) { UNUSED; (void)!connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr*)&a, size); take(60); evconnlistener_disable(l); }
HANDLER(last) { UNUSED; puts("end"); event_base_loopbreak(base); }
int main(void) {
  base = event_base_new();
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  l = evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, 8, (struct sockaddr*)&a, size);
  getsockname(evconnlistener_get_fd(l), (struct sockaddr*)&a, &size);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due_in(150, last, NULL);
  event_base_dispatch(base);
  return 0;
}
