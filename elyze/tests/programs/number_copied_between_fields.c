// A number copied from one field of a session to another moves that field only: the others stay apart.
// CONFLICT always: on_count on_count: counter
// CONFLICT session: on_count on_read: client->scanned
// SAFE: on_count on_name
// CONFLICT session: on_read on_read: client->start
// SAFE: on_name on_read
// CONFLICT session: on_name on_name: client->name

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};
static int counter;

struct client {
  char* name;
  size_t scanned, start, size;
};

static void on_count(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  counter++;
  c->scanned++;
}

static void on_name(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->name[0]++;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->start = c->scanned;
  c->size = c->start;
}

static void make(struct event_base* base) {
  struct client* c = calloc(1, sizeof *c);
  c->name = calloc(1, 16);
  event_add(event_new(base, -1, EV_PERSIST, on_count, c), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_name, c), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
}

int main(void) {
  struct event_base* base = event_base_new();
  make(base);
  make(base);
  return event_base_dispatch(base);
}
