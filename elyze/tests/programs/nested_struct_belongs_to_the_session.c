// A structure inside the session is the session; a neighbour field of the nested structure is another object.
// CONFLICT session: on_parse on_parse: client->request.length
// CONFLICT session: on_parse on_show: client->request.length
// SAFE: on_show on_show
// SAFE: on_parse on_method
// SAFE: on_show on_method
// CONFLICT session: on_method on_method: client->request.method

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct request {
  int method;
  int length;
};

struct client {
  int fd;
  struct request request;
};

static void set_length(struct request* r, int length) { r->length = length; }

static void on_parse(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  set_length(&c->request, 80);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%d\n", c->request.length);
}

static void on_method(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->request.method++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_parse, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_method, c), &second);
  }
  return event_base_dispatch(base);
}
