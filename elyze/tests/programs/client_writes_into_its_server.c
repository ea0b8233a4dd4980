// Client and server are linked; the client's handler writes the server's field, and their types differ, so no equality
// of sessions tells when that is safe.
// CONFLICT always: on_client on_server: server->pending
// CONFLICT session: on_server on_server: server->pending
// CONFLICT always: on_client on_client: server->pending

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct server {
  int pending;
};

struct client {
  struct server* server;
};

static void on_client(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->server->pending++;
}

static void on_server(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct server* s = arg;
  s->pending--;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct server* s = calloc(1, sizeof *s);
    event_add(event_new(base, -1, EV_PERSIST, on_server, s), &second);
    for (int j = 0; j < 2; j++) {
      struct client* c = calloc(1, sizeof *c);
      c->server = s;
      event_add(event_new(base, -1, EV_PERSIST, on_client, c), &second);
    }
  }
  return event_base_dispatch(base);
}
