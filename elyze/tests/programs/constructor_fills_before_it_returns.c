// A constructor called from two places makes sessions with parts of their own.
// CONFLICT session: on_read on_read: parser->state
// CONFLICT session: on_read on_show: parser->state
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct parser {
  int state;
};

struct client {
  struct parser* parser;
};

static struct parser* parser_new(void) { return calloc(1, sizeof(struct parser)); }

static struct client* client_new(int state) {
  struct client* c = calloc(1, sizeof *c);
  c->parser = parser_new();
  c->parser->state = state;
  return c;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->parser->state++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%d\n", c->parser->state);
}

static void start(struct event_base* base, struct client* c) {
  event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, c), &second);
}

int main(void) {
  struct event_base* base = event_base_new();
  start(base, client_new(1));
  start(base, client_new(2));
  return event_base_dispatch(base);
}
