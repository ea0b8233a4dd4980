// Each call of the setter stores what it is given; only the caller shows that it is the same block twice.
// CONFLICT always: on_read on_read: client->buffer
// SAFE: on_read on_show
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  char* buffer;
  int id;
};

static void attach(struct client* c, char* buffer) { c->buffer = buffer; }

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->buffer[0]++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%d\n", c->id);
}

static struct client* client_new(struct event_base* base) {
  struct client* c = calloc(1, sizeof *c);
  event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, c), &second);
  return c;
}

int main(void) {
  struct event_base* base = event_base_new();
  struct client *first = client_new(base), *last = client_new(base);
  char* buffer = calloc(1, 512);
  attach(first, buffer);
  attach(last, buffer);
  return event_base_dispatch(base);
}
