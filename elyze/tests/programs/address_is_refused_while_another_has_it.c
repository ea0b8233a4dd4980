// An address that a socket is bound to is refused to others until that is closed: bind(2), EADDRINUSE.
// CONFLICT always: on_bind on_bind: addresses of sockets
// CONFLICT always: on_bind on_session: addresses of sockets
// CONFLICT always: on_bind on_end: addresses of sockets
// SAFE: on_bind on_connect
// CONFLICT always: on_session on_session: addresses of sockets
// CONFLICT always: on_session on_end: addresses of sockets
// SAFE: on_session on_connect
// CONFLICT always: on_end on_end: server
// SAFE: on_end on_connect
// SAFE: on_connect on_connect
// ASSUMES: peers-apart
// ASSUMES: descriptors-suffice
#include <netinet/in.h>

#include "server.h"

struct client {
  int socket;
  struct sockaddr_in here;
};

static struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = 0x1234};
static int server;

HANDLER(on_bind) {
  UNUSED;
  int one = socket(AF_INET, SOCK_STREAM, 0);
  bind(one, (struct sockaddr *)&here, sizeof here);
  close(one);
}

static int bound(const struct sockaddr_in *address) {
  int one = socket(AF_INET, SOCK_STREAM, 0);
  bind(one, (const struct sockaddr *)address, sizeof *address);
  return one;
}

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  if (client->socket < 0) client->socket = bound(&client->here);
}

// Whoever wants that address gets it from here on.
HANDLER(on_end) {
  UNUSED;
  close(server);
}

HANDLER(on_connect) {
  UNUSED;
  int one = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = 0x0900};
  if (connect(one, (struct sockaddr *)&there, sizeof there) == 0) shutdown(one, SHUT_RDWR);
  close(one);
}

int main(void) {
  base = event_base_new();
  server = bound(&here);
  when_readable(3, on_bind, NULL);
  when_readable(4, on_end, NULL);
  when_readable(5, on_connect, NULL);
  for (int i = 0; i < 2; i++) {
    struct client *client = calloc(1, sizeof *client);
    client->socket = -1;
    client->here = here;
    when_readable(6 + i, on_session, client);
  }
  return event_base_dispatch(base);
}
