// Sessions in a list and with a peer: handlers that leave their own session, and one that walks over all.
// CAUSE function close_idle: hand-over
// CAUSE links client: one-owner
// CAUSE variable clients: split-handler
// CAUSE shared *common: atomic-counter
// REACHES client->next, client->previous: client
// REACHES client->peer: client
#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdlib.h>
#include <unistd.h>

struct pool {
  int used;
};
struct client {
  struct client *next, *previous, *peer;
  struct pool *pool;
  struct event event;
  int fd;
  long seen;
  char name[16];
};

static struct client *clients;
static struct pool *common;

static void unlink_client(struct client *c) {
  if (c->previous)
    c->previous->next = c->next;
  else
    clients = c->next;
  if (c->next) c->next->previous = c->previous;
  c->pool->used--;
}

static void close_client(struct client *c) {
  unlink_client(c);
  event_del(&c->event);
  close(c->fd);
  free(c);
}

static void on_client(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  (void)what;
  c->seen++;
  if (c->peer) c->peer->seen++;
  if (read(fd, c->name, sizeof c->name) <= 0) close_client(c);
}

static void close_idle(long limit) {
  struct client *next;
  for (struct client *c = clients; c; c = next) {
    next = c->next;
    if (c->seen < limit) close_client(c);
  }
}

static void on_sweep(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  close_idle(10);
}

static void on_accept(evutil_socket_t fd, short what, void *base) {
  struct client *c = calloc(1, sizeof *c);
  (void)what;
  c->fd = dup(fd);
  c->pool = common;
  c->pool->used++;
  c->peer = clients;
  event_assign(&c->event, base, c->fd, EV_READ | EV_PERSIST, on_client, c);
  c->next = clients;
  if (clients) clients->previous = c;
  clients = c;
  event_add(&c->event, NULL);
}

int main(void) {
  struct event_base *base = event_base_new();
  common = calloc(1, sizeof *common);
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_accept, base), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_sweep, NULL), &(struct timeval){1, 0});
  return event_base_dispatch(base);
}
