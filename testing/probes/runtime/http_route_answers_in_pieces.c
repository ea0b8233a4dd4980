// possible: 12\n=0
// Two chunks that one route sends in one call arrive together: nothing is sent before it returns.
#include "p.h"
#include <event2/buffer.h>
#include <event2/http.h>
static int port;
static void on_route(struct evhttp_request* r, void* arg) {
  (void)arg;
  struct evbuffer* b = evbuffer_new();
  evhttp_send_reply_start(r, 200, "OK");
  evbuffer_add(b, "1", 1), evhttp_send_reply_chunk(r, b);
  take(100);
  evbuffer_add(b, "2", 1), evhttp_send_reply_chunk(r, b);
  evhttp_send_reply_end(r);
  evbuffer_free(b);
}
static void* client(void* x) {
  char got[4096] = {0}, *at;
  struct sockaddr_in to = {
      .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(s, (struct sockaddr*)&to, sizeof to) || write(s, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", 28) < 0) return x;
  take(40);
  if (read(s, got, 4095) > 0)
    printf("%d%d\n", (at = strstr(got, "\r\n1\r\n")) != NULL, strstr(got, "\r\n2\r\n") ? 2 : 0);
  event_base_loopbreak(base);
  return x;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  struct evhttp* h = evhttp_new(base);
  evhttp_set_cb(h, "/a", on_route, NULL);
  struct evhttp_bound_socket* b = evhttp_bind_socket_with_handle(h, "127.0.0.1", 0);
  struct sockaddr_in at;
  socklen_t n = sizeof at;
  getsockname(evhttp_bound_socket_get_fd(b), (struct sockaddr*)&at, &n);
  port = ntohs(at.sin_port);
  due(base, spare, NULL);
  pthread_t t;
  pthread_create(&t, NULL, client, NULL);
  event_base_dispatch(base);
  pthread_join(t, NULL);
  return 0;
}
