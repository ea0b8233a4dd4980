// The TLS connection that the server's callback makes sends the answer.
// CONFLICT always: make make: *last, last
// CONFLICT always: make on_b: *last, last
// CONFLICT always: make on_request: *last
// CONFLICT always: on_b on_b: *last, seen
// CONFLICT always: on_b on_request: *last
// SAFE: on_request on_request

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/http.h>
#include <openssl/ssl.h>

#include "server.h"
static SSL_CTX *ctx;
static SSL *last;
static long seen;
HANDLER(on_b) {
  UNUSED;
  seen = SSL_pending(last);
  SSL_set_shutdown(last, 1);
  SSL_set_shutdown(last, 2);
}
static void on_request(struct evhttp_request *req, void *arg) { evhttp_send_reply(req, 200, "OK", NULL); }
static struct bufferevent *make(struct event_base *b, void *arg) {
  last = SSL_new(ctx);
  return bufferevent_openssl_socket_new(b, -1, last, BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
}
int main(void) {
  base = event_base_new();
  ctx = SSL_CTX_new(TLS_method());
  struct evhttp *h = evhttp_new(base);
  evhttp_set_bevcb(h, make, NULL);
  when_readable(3, on_b, NULL);
  evhttp_bind_socket(h, "127.0.0.1", 0);
  evhttp_set_gencb(h, on_request, NULL);
  return event_base_dispatch(base);
}
