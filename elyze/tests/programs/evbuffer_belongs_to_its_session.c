// Each session has an evbuffer of its own, made for it and stored nowhere else.
// CONFLICT session: on_read on_read: client->out
// CONFLICT session: on_read on_show: client->out
// SAFE: on_show on_show

#include <event2/buffer.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  struct evbuffer* out;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  evbuffer_add(c->out, "hello", 5);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%zu bytes\n", evbuffer_get_length(c->out));
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->out = evbuffer_new();
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, c), &second);
  }
  return event_base_dispatch(base);
}
