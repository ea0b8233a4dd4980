// One handler is given a part of the connection, the other the whole: the session is the enclosing object for both.
// CONFLICT session: on_parse on_parse: connection->parser.state
// CONFLICT session: on_parse on_read: connection->parser.state
// SAFE: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct parser {
  int state;
};

struct connection {
  long bytes;
  struct parser parser;
};

static void on_parse(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct parser* p = arg;
  p->state++;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct connection* c = arg;
  printf("%d\n", c->parser.state);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct connection* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_parse, &c->parser), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
  }
  return event_base_dispatch(base);
}
