// A request that is cancelled while it is worked on calls the function for a connection that is closed.
// CONFLICT always: on_close on_close: closed
// SAFE: on_close on_done
// CONFLICT always: on_close on_a: closed
// CONFLICT always: on_close on_b: closed
// CONFLICT always: on_done on_done: evhttp_connection
// CONFLICT always: on_done on_a: evhttp_request, evhttp_connection
// SAFE: on_done on_b
// CONFLICT always: on_a on_a: closed, request
// CONFLICT always: on_a on_b: closed
// CONFLICT always: on_b on_b: closed

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
static long closed;
static void on_close(struct evhttp_connection* c, void* arg) {
  (void)c, (void)arg;
  closed++;
}
HANDLER(on_a) {
  UNUSED;
  evhttp_cancel_request(request);
  ask();
}
HANDLER(on_b) {
  UNUSED;
  closed = 0;
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
  evhttp_connection_set_closecb(connection, on_close, NULL);
  ask();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
