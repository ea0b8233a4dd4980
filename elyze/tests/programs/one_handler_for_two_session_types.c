// A handler that switches on the kind in the common first field: each invocation stays in its own session.
// CONFLICT session: on_any on_any: client->reads
// CONFLICT session: on_any on_client: client->reads
// SAFE: on_client on_client
// CONFLICT session: on_any on_server: server->writes
// SAFE: on_client on_server
// SAFE: on_server on_server

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  int kind;
  long reads;
};

struct server {
  int kind;
  char name[32];
  long writes;
};

static void on_any(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  if (*(const int*)arg == 0) {
    ((struct client*)arg)->reads++;
  } else {
    ((struct server*)arg)->writes++;
  }
}

static void on_client(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  printf("%ld\n", c->reads);
}

static void on_server(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct server* s = arg;
  printf("%ld\n", s->writes);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    struct server* s = calloc(1, sizeof *s);
    s->kind = 1;
    event_add(event_new(base, -1, EV_PERSIST, on_any, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_any, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_client, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_server, s), &second);
  }
  return event_base_dispatch(base);
}
