// possible: request\nleft\n=0
// flags: -pthread
// Nobody reads from a client that waits for its answer, so nobody finds that it has left.
#include "p.h"
#include <event2/http.h>
static int port;
static void on_close(struct evhttp_connection* c, void* arg) { (void)c, (void)arg; puts("closed"); }
static void on_request(struct evhttp_request* r, void* arg) {
  (void)arg;
  puts("request");
  evhttp_connection_set_closecb(evhttp_request_get_connection(r), on_close, NULL);
}
HANDLER(last) { UNUSED; puts("left"); event_base_loopbreak(base); }
static void* client(void* arg) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int s = socket(AF_INET, SOCK_STREAM, 0);
  (void)!connect(s, (struct sockaddr*)&a, sizeof a);
  const char* q = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n";
  (void)!write(s, q, strlen(q));
  take(100);
  close(s);
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
  due_in(400, last, NULL);
  pthread_t t;
  pthread_create(&t, NULL, client, NULL);
  event_base_dispatch(base);
  pthread_join(t, NULL);
  return 0;
}
