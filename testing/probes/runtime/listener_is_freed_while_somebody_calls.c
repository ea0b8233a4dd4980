// possible: (0|3) accepted\n=0
// Three connections come up in one poll: one call accepts all that it finds, or, if on_free went first, none.
#include "p.h"
#include <event2/listener.h>
static struct evconnlistener* l;
static int accepted;
static void on_accept(struct evconnlistener* x, evutil_socket_t fd, struct sockaddr* a, int n, void* arg) {
  (void)x, (void)a, (void)n, (void)arg;
  accepted++;
  take(30);
  close(fd);
}
HANDLER(on_free) {
  UNUSED;
  take(20);
  evconnlistener_free(l);
}
HANDLER(on_end) {
  UNUSED;
  printf("%d accepted\n", accepted);
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof at;
  l = evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, 8, (struct sockaddr*)&at, n);
  getsockname(evconnlistener_get_fd(l), (struct sockaddr*)&at, &n);
  for (int i = 0; i < 3; i++) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr*)&at, n) != 0) return 1;
  }
  due(base, spare, NULL);
  due_in(1, on_free, NULL);
  due_in(300, on_end, NULL);
  event_base_dispatch(base);
  return 0;
}
