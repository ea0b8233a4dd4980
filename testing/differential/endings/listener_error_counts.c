// The error callback of a listener counts for what the listener was made with.
#include <event2/listener.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "small.h"

struct s {
  int errors;
};
static int done;
static void on_accept(struct evconnlistener* l, evutil_socket_t fd, struct sockaddr* a, int n, void* arg) {
  (void)l, (void)a, (void)n, (void)arg;
  close(fd);
}
static void on_error(struct evconnlistener* l, void* arg) {
  struct s* s = arg;
  int v = s->errors;
  take(30);
  s->errors = v + 1;
  evconnlistener_disable(l);
  done = 1;
}
HANDLER(on_b) {
  (void)fd, (void)what;
  struct s* s = arg;
  int v = s->errors;
  take(30);
  s->errors = v + 1;
}
int main(void) {
  base = event_base_new();
  struct s* s = calloc(1, sizeof *s);
  struct sockaddr_in a = {.sin_family = AF_INET};
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct evconnlistener* l =
      evconnlistener_new_bind(base, on_accept, s, LEV_OPT_CLOSE_ON_FREE, 8, (struct sockaddr*)&a, sizeof a);
  evconnlistener_set_error_cb(l, on_error);
  socklen_t n = sizeof a;
  getsockname(evconnlistener_get_fd(l), (struct sockaddr*)&a, &n);
  int c = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(c, (struct sockaddr*)&a, sizeof a)) return 1;
  struct rlimit r = {c + 1, c + 1};
  setrlimit(RLIMIT_NOFILE, &r);
  struct timeval t = {0, 1000};
  (void)t;
  due(base, on_b, s);
  due_in(1, on_b, s);
  struct timeval e = {0, 200000};
  event_base_loopexit(base, &e);
  event_base_dispatch(base);
  printf("%d %d\n", s->errors, done);
}
