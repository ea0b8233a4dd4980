// Who frees a connection looks whether its requests are the program's own.
// CONFLICT always: on_done on_done: *connection
// CONFLICT always: on_done on_a: evhttp_request, *connection
// CONFLICT always: on_done on_b: evhttp_request->flags
// CONFLICT always: on_a on_a: request, connection
// CONFLICT always: on_a on_b: evhttp_request->flags
// CONFLICT always: on_b on_b: evhttp_request->flags

#include <arpa/inet.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <netinet/in.h>

#include "server.h"
static struct evhttp_connection* connection;
static struct evhttp_request* request;
static unsigned short port;
static void on_done(struct evhttp_request* req, void* arg) { (void)req, (void)arg; }
static void ask(void) {
  request = evhttp_request_new(on_done, NULL);
  evhttp_request_own(request);
  evhttp_make_request(connection, request, EVHTTP_REQ_GET, "/");
}
static struct evhttp_request* first;
static void connect_and_ask(void) {
  connection = evhttp_connection_base_new(base, NULL, "127.0.0.1", port);
  ask();
}
HANDLER(on_a) {
  UNUSED;
  evhttp_connection_free(connection);
  connect_and_ask();
}
HANDLER(on_b) {
  UNUSED;
  first->flags |= EVHTTP_USER_OWNED;
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
  connect_and_ask();
  first = request;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
