// The headers of an answer decide that its body is told piece by piece: the first piece comes in the same call.
// CONFLICT always: on_headers on_tick
// CONFLICT always: on_piece on_tick: pieces
// CONFLICT always: on_headers on_headers
// SAFE: on_tick on_done
#include <event2/http.h>

#include "server.h"

static int pieces;

static void on_piece(struct evhttp_request *request, void *arg) {
  (void)request, (void)arg;
  ++pieces;
}

static int on_headers(struct evhttp_request *request, void *arg) {
  (void)arg;
  evhttp_request_set_chunked_cb(request, on_piece);
  return 0;
}

static void on_done(struct evhttp_request *request, void *arg) { (void)request, (void)arg; }

HANDLER(on_tick) {
  UNUSED;
  pieces += 2;
}

int main(void) {
  base = event_base_new();
  struct evhttp_connection *connection = evhttp_connection_base_new(base, NULL, "127.0.0.1", 80);
  struct evhttp_request *request = evhttp_request_new(on_done, NULL);
  evhttp_request_set_header_cb(request, on_headers);
  evhttp_make_request(connection, request, EVHTTP_REQ_GET, "/");
  when_readable(3, on_tick, NULL);
  return event_base_dispatch(base);
}
