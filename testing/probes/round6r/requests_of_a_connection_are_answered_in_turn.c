// possible: /1/2/3\n=0
// flags: -pthread
#include "p.h"
#include <event2/buffer.h>
#include <event2/http.h>
static int port;
static void on_request(struct evhttp_request* r, void* arg) {
  (void)arg;
  take(20);
  struct evbuffer* b = evbuffer_new();
  evbuffer_add_printf(b, "BODY%s;", evhttp_request_get_uri(r));
  evhttp_send_reply(r, 200, "OK", b);
  evbuffer_free(b);
}
static void* client(void* arg) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int s = socket(AF_INET, SOCK_STREAM, 0);
  (void)!connect(s, (struct sockaddr*)&a, sizeof a);
  const char* q = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  (void)!write(s, q, strlen(q));
  char all[4096] = "";
  for (ssize_t n, at = 0; (n = read(s, all + at, sizeof all - 1 - at)) > 0; at += n) continue;
  for (char* p = all; (p = strstr(p, "BODY")) != NULL; p += 4) printf("%.2s", p + 4);
  putchar('\n');
  event_base_loopbreak(base);
  return arg;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  struct evhttp* h = evhttp_new(base);
  evhttp_set_gencb(h, on_request, NULL);
  struct evhttp_bound_socket* b = evhttp_bind_socket_with_handle(h, "127.0.0.1", 0);
  struct sockaddr_in a;
  socklen_t size = sizeof a;
  getsockname(evhttp_bound_socket_get_fd(b), (struct sockaddr*)&a, &size);
  port = ntohs(a.sin_port);
  due(base, spare, NULL);
  pthread_t t;
  pthread_create(&t, NULL, client, NULL);
  event_base_dispatch(base);
  pthread_join(t, NULL);
  return 0;
}
