// Insertion into an intrusive list writes the global head and the session that was first so far.
// CONFLICT always: on_insert on_insert: clients
// CONFLICT session: on_count on_count: client->n
// SAFE: on_insert on_count
// CONFLICT always: on_insert on_first: clients
// SAFE: on_count on_first
// SAFE: on_first on_first

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  struct client *next, *previous;
  long n;
};

static struct client* clients;

static void on_insert(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->previous = NULL;
  c->next = clients;
  if (clients != NULL) clients->previous = c;
  clients = c;
}

static void on_count(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->n++;
}

static void on_first(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts(clients == NULL ? "empty" : "not empty");
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, 0, on_insert, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_count, c), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_first, NULL), &second);
  return event_base_dispatch(base);
}
