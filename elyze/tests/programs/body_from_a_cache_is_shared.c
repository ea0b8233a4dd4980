// A look-up hands out the cache's own block: writing it is seen by every session that got the same block.
// CONFLICT session: on_lookup on_lookup: client->body
// CONFLICT session: on_lookup on_stamp: client->body
// CONFLICT always: on_stamp on_stamp: entry->stamp

#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct entry {
  struct entry* next;
  int key;
  int stamp;
};

struct client {
  int key;
  struct entry* body;
};

static struct entry* cache;

static struct entry* cache_get(int key) {
  struct entry* e = cache;
  while (e != NULL && e->key != key) e = e->next;
  return e;
}

static void on_lookup(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->body = cache_get(c->key);
}

static void on_stamp(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  if (c->body != NULL) c->body->stamp++;
}

int main(void) {
  struct event_base* base = event_base_new();
  struct entry* e = calloc(1, sizeof *e);
  cache = e;
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_lookup, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_stamp, c), &second);
  }
  return event_base_dispatch(base);
}
