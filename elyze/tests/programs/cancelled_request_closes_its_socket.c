// A request that is cancelled while it is worked on closes its connection.
// CONFLICT always: on_done on_done: *connection, file of sock
// CONFLICT always: on_done on_a: evhttp_request, *connection
// CONFLICT always: on_done on_b: file of sock
// CONFLICT always: on_a on_a: request, evhttp_request
// CONFLICT always: on_a on_b: file of sock
// CONFLICT always: on_b on_b: file of sock

#include <arpa/inet.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <netinet/in.h>

#include "server.h"
static struct evhttp_connection* connection;
static struct evhttp_request* request;
static unsigned short port;
static void on_done(struct evhttp_request* req, void* arg) { (void)req, (void)arg; }
static void ask(void) {
  request = evhttp_request_new(on_done, NULL);
  evhttp_make_request(connection, request, EVHTTP_REQ_GET, "/");
}
static int sock;
static void twice(int s) {
  send(s, "a", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
  send(s, "b", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}
HANDLER(on_a) {
  UNUSED;
  evhttp_cancel_request(request);
  ask();
}
HANDLER(on_b) {
  UNUSED;
  twice(sock);
}
int main(int argc, char** argv) {
  base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  bind(listening, (struct sockaddr*)&address, sizeof address);
  listen(listening, 128);
  getsockname(listening, (struct sockaddr*)&address, &size);
  port = ntohs(address.sin_port);
  connection = evhttp_connection_base_new(base, NULL, "127.0.0.1", port);
  ask();
  sock = bufferevent_getfd(evhttp_connection_get_bufferevent(connection));
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
