// evhttp_make_request() calls the request's error function itself, where the connection's address is bad.
// CONFLICT always: on_ask on_look: failed
// CONFLICT always: on_ask on_ask
// CONFLICT always: on_error on_look: failed
// SAFE: on_done on_look
// SAFE: on_look on_look
#include <event2/http.h>

#include "server.h"

static struct evhttp_connection *connection;
static int failed;

static void on_done(struct evhttp_request *request, void *arg) { (void)request, (void)arg; }

static void on_error(enum evhttp_request_error error, void *arg) {
  (void)error, (void)arg;
  ++failed;
}

HANDLER(on_ask) {
  UNUSED;
  struct evhttp_request *request = evhttp_request_new(on_done, NULL);
  evhttp_request_set_error_cb(request, on_error);
  evhttp_make_request(connection, request, EVHTTP_REQ_GET, "/");
}

HANDLER(on_look) {
  UNUSED;
  if (failed > 1000) abort();
}

int main(void) {
  base = event_base_new();
  connection = evhttp_connection_base_new(base, NULL, "nowhere", 80);
  when_readable(3, on_ask, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
