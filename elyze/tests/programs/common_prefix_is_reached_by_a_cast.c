// Two session types start with the same structure; a helper that knows only the prefix counts for both.
// CONFLICT session: on_client on_client: client->head.events
// SAFE: on_client on_server
// CONFLICT session: on_server on_server: server->head.events

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct head {
  int kind;
  long events;
};

struct client {
  struct head head;
  int fd;
};

struct server {
  struct head head;
  char* name;
};

static void count(void* any) { ((struct head*)any)->events++; }

static void on_client(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  count(arg);
}

static void on_server(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  count(arg);
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
