// A request that a handler keeps is the library's to work on from then on, whoever answers it; the page that answers at
// once has nothing to do with it.
// SAFE: on_hello on_hello
// SAFE: on_hello on_later
// SAFE: on_hello on_time
// SAFE: on_later on_later
// CONFLICT always: on_later on_time: pending->request
// CONFLICT session: on_time on_time: pending->request

#include <event2/event.h>
#include <event2/http.h>
#include <stddef.h>
#include <stdlib.h>

struct pending {
  struct evhttp_request* request;
  struct event* timer;
};

static struct event_base* base;

static void on_hello(struct evhttp_request* request, void* arg) {
  (void)arg;
  evhttp_send_reply(request, 200, "OK", NULL);
}

static void on_time(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct pending* pending = arg;
  evhttp_send_reply(pending->request, 200, "OK", NULL);
  event_free(pending->timer);
  free(pending);
}

static void on_later(struct evhttp_request* request, void* arg) {
  const struct timeval soon = {0, 1000};
  struct pending* pending = malloc(sizeof *pending);
  (void)arg;
  pending->request = request;
  pending->timer = evtimer_new(base, on_time, pending);
  event_add(pending->timer, &soon);
}

int main(void) {
  base = event_base_new();
  struct evhttp* http = evhttp_new(base);
  evhttp_bind_socket(http, "127.0.0.1", 8080);
  evhttp_set_cb(http, "/hello", on_hello, NULL);
  evhttp_set_cb(http, "/later", on_later, NULL);
  return event_base_dispatch(base);
}
