// A timer frees sessions that are not its own: freeing writes the whole block, so every handler of it conflicts.
// SAFE: on_show on_show
// CONFLICT always: on_show on_sweep: client->id
// CONFLICT always: on_sweep on_sweep: clients

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>

static const struct timeval second = {1, 0};

struct client {
  LIST_ENTRY(client) link;
  struct event timer;
  int id;
};

static LIST_HEAD(, client) clients = LIST_HEAD_INITIALIZER(clients);

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("client %d\n", c->id);
}

static void on_sweep(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  struct client* c = LIST_FIRST(&clients);
  if (c == NULL) return;
  LIST_REMOVE(c, link);
  event_del(&c->timer);
  free(c);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->id = i;
    LIST_INSERT_HEAD(&clients, c, link);
    event_assign(&c->timer, base, -1, EV_PERSIST, on_show, c);
    event_add(&c->timer, &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_sweep, NULL), &second);
  return event_base_dispatch(base);
}
