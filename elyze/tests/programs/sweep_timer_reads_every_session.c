// A timer without a session walks a global list: it only reads, yet it meets the writers of every session.
// CONFLICT session: on_read on_read: client->active
// CONFLICT always: on_read on_sweep: client->active
// SAFE: on_sweep on_sweep

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>

static const struct timeval second = {1, 0};

struct client {
  LIST_ENTRY(client) link;
  long active;
};

static LIST_HEAD(, client) clients = LIST_HEAD_INITIALIZER(clients);

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->active++;
}

static void on_sweep(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  struct client* c;
  LIST_FOREACH(c, &clients, link) {
    if (c->active == 0) puts("idle");
  }
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    LIST_INSERT_HEAD(&clients, c, link);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_sweep, NULL), &second);
  return event_base_dispatch(base);
}
