// An object on main's stack is shared by all sessions through a pointer.
#include "server.h"

struct server {
  long total;
};
struct session {
  struct server *server;
  long hits;
};
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  s->server->total++;
}
// CONFLICT always: on_client on_client: server->total

int main(void) {
  struct server server = {0};
  base = event_base_new();
  for (int i = 1; i < 8; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->server = &server;
    when_readable(i, on_client, s);
  }
  return event_base_dispatch(base);
}
