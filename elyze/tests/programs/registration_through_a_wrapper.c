// Callback and argument arrive through the parameters of a wrapper: each handler keeps its own session type.
// CONFLICT session: on_client on_client: client->reads
// SAFE: on_client on_server
// CONFLICT session: on_server on_server: server->reads

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};
static struct event_base* base;

struct client {
  long reads;
};

struct server {
  long reads;
};

static void every_second(event_callback_fn callback, void* session) {
  event_add(event_new(base, -1, EV_PERSIST, callback, session), &second);
}

static void on_client(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct client* c = arg;
  c->reads++;
}

static void on_server(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct server* s = arg;
  s->reads++;
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    every_second(on_client, calloc(1, sizeof(struct client)));
    every_second(on_server, calloc(1, sizeof(struct server)));
  }
  return event_base_dispatch(base);
}
