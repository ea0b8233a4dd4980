// libevent: 0 torn\n=0
#include "p.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
static struct bufferevent* volatile seen;
static int torn;
static int left = 400;
static unsigned short port;
static void on_page(struct evhttp_request* r, void* arg) {
  (void)arg;
  struct evbuffer* b = evbuffer_new();
  static char big[200000];
  memset(big, 'x', sizeof big);
  evbuffer_add(b, big, sizeof big);
  evhttp_send_reply(r, 200, "OK", b);
  evbuffer_free(b);
}
static void on_first(struct evhttp_request* r, void* arg) {
  (void)arg;
  seen = evhttp_connection_get_bufferevent(evhttp_request_get_connection(r));
  evhttp_send_reply(r, 200, "OK", NULL);
}
HANDLER(on_tick) {
  UNUSED;
  if (!seen) return;
  struct evbuffer* out = bufferevent_get_output(seen);
  size_t n = evbuffer_get_length(out);
  take(3);
  if (evbuffer_get_length(out) != n) ++torn;
}
static void* client(void* arg) {
  int s = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  connect(s, (void*)&a, sizeof a);
  static char b[1 << 20];
  const char* q = "GET /first HTTP/1.1\r\nHost: x\r\n\r\n";
  write(s, q, strlen(q));
  usleep(20000);
  read(s, b, sizeof b);
  q = "GET /page HTTP/1.1\r\nHost: x\r\n\r\n";
  for (int i = 0; i < 100; ++i) {
    write(s, q, strlen(q));
    size_t got = 0;
    while (got < 200000) {
      ssize_t n = read(s, b, 30000);
      if (n <= 0) break;
      got += n;
    }
  }
  event_base_loopexit(base, NULL);
  return arg;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  struct evhttp* h = evhttp_new(base);
  struct evhttp_bound_socket* s = evhttp_bind_socket_with_handle(h, "127.0.0.1", 0);
  struct sockaddr_in a;
  socklen_t n = sizeof a;
  getsockname(evhttp_bound_socket_get_fd(s), (void*)&a, &n);
  port = ntohs(a.sin_port);
  evhttp_set_cb(h, "/first", on_first, NULL);
  evhttp_set_gencb(h, on_page, NULL);
  struct timeval tv = {0, 1000};
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &tv);
  pthread_t t;
  pthread_create(&t, NULL, client, NULL);
  event_base_dispatch(base);
  printf("%d torn\n", torn);
}
