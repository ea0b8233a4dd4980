// A piece of an answer may have been sent, and its callback called, while the handler that has sent it still works on
// what the callback is given.
// SAFE: on_get on_get
// CONFLICT always: on_get on_sent: answer->uses
// CONFLICT session: on_sent on_sent: answer->uses
#include <event2/buffer.h>
#include <event2/http.h>
#include "server.h"

struct answer {
  int uses;
};

static void on_sent(struct evhttp_connection* connection, void* arg) {
  (void)connection;
  struct answer* answer = arg;
  answer->uses++;
}
static void on_get(struct evhttp_request* request, void* arg) {
  (void)arg;
  struct answer* answer = calloc(1, sizeof *answer);
  struct evbuffer* piece = evbuffer_new();
  evbuffer_add(piece, "piece", 5);
  evhttp_send_reply_start(request, 200, "OK");
  evhttp_send_reply_chunk_with_cb(request, piece, on_sent, answer);
  answer->uses++;
  evbuffer_free(piece);
}
int main(void) {
  base = event_base_new();
  struct evhttp* server = evhttp_new(base);
  evhttp_bind_socket(server, "127.0.0.1", 8080);
  evhttp_set_gencb(server, on_get, NULL);
  return event_base_dispatch(base);
}
