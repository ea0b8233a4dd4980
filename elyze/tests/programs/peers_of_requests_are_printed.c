// Who sent a request stays the same as long as its connection is there.
// SAFE: on_get on_get
// SAFE: on_get on_put
// SAFE: on_put on_put
#include "server.h"
#include <event2/buffer.h>
#include <event2/http.h>
static void answer(struct evhttp_request* req) {
  char* peer;
  unsigned short port;
  evhttp_connection_get_peer(evhttp_request_get_connection(req), &peer, &port);
  struct evbuffer* body = evbuffer_new();
  evbuffer_add(body, peer, strlen(peer));
  evhttp_send_reply(req, 200, "OK", body);
  evbuffer_free(body);
}
static void on_get(struct evhttp_request* req, void* arg) {
  (void)arg;
  answer(req);
}
static void on_put(struct evhttp_request* req, void* arg) {
  (void)arg;
  answer(req);
}
int main(void) {
  base = event_base_new();
  struct evhttp* h = evhttp_new(base);
  evhttp_set_cb(h, "/get", on_get, NULL);
  evhttp_set_cb(h, "/put", on_put, NULL);
  event_base_dispatch(base);
}
