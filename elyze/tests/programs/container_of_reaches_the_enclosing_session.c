// From an interior pointer back to the whole by a negative offset.
// CONFLICT session: on_parse on_parse: connection->bytes
// CONFLICT session: on_parse on_read: connection->bytes
// CONFLICT session: on_read on_read: connection->bytes
// SAFE: on_parse on_close
// SAFE: on_read on_close
// SAFE: on_close on_close

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

#define container_of(pointer, type, member) ((type*)((char*)(pointer) - offsetof(type, member)))

struct parser {
  int state;
};

struct connection {
  long bytes;
  int reason;
  struct parser parser;
};

static void on_parse(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct connection* c = container_of(arg, struct connection, parser);
  c->bytes--;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct connection* c = arg;
  c->bytes++;
}

static void on_close(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct connection* c = container_of(arg, struct connection, parser);
  printf("%d\n", c->reason);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct connection* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_parse, &c->parser), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_close, &c->parser), &second);
  }
  return event_base_dispatch(base);
}
