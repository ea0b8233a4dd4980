// The link in the session leads to the link in its neighbour, and container_of from there to the neighbour itself.
// CONFLICT always: on_poke on_poke: client->pokes
// CONFLICT always: on_poke on_show: client->pokes
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

#define container_of(pointer, type, member) ((type*)((char*)(pointer) - offsetof(type, member)))

struct link {
  struct link* next;
};

struct client {
  long pokes;
  struct link link;
};

static void on_poke(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->pokes++;
  container_of(c->link.next, struct client, link)->pokes++;
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%ld\n", c->pokes);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct client *first = calloc(1, sizeof *first), *last = calloc(1, sizeof *last);
  first->link.next = &last->link;
  last->link.next = &first->link;
  event_add(event_new(base, -1, EV_PERSIST, on_poke, first), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_poke, last), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, first), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, last), &second);
  return event_base_dispatch(base);
}
