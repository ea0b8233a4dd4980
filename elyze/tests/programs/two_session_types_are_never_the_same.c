// Sessions of two types that do not know of each other: across the types there is nothing to order.
// CONFLICT session: on_client on_client: client->reads
// SAFE: on_client on_server
// CONFLICT session: on_server on_server: server->writes

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  long reads;
};

struct server {
  long writes;
};

static void on_client(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->reads++;
}

static void on_server(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct server* s = arg;
  s->writes++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    struct server* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_client, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_server, s), &second);
  }
  return event_base_dispatch(base);
}
