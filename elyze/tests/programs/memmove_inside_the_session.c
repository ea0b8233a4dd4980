// What is left in the buffer moves to its front, inside the session's own array.
// CONFLICT session: on_consume on_consume: client->in
// CONFLICT session: on_consume on_peek: client->in
// SAFE: on_peek on_peek

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};

struct client {
  char in[64];
  size_t used;
};

static void on_consume(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  if (c->used == 0) return;
  memmove(c->in, c->in + 1, c->used - 1);
  c->used--;
}

static void on_peek(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%c\n", c->in[0]);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->used = sizeof c->in;
    event_add(event_new(base, -1, EV_PERSIST, on_consume, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_peek, c), &second);
  }
  return event_base_dispatch(base);
}
