// A connection that was accepted has the port of its listener, which is closed: bind() without SO_REUSEADDR is refused
// while it lives (ip(7), socket(7)). Those who close connections do not meet there, and a file has no address.
// CONFLICT always: on_close on_close: client
// CONFLICT always: on_close on_bind: addresses of sockets
// SAFE: on_close on_other
// SAFE: on_close on_file
// CONFLICT always: on_bind on_bind: addresses of sockets
// CONFLICT always: on_bind on_other: addresses of sockets
// SAFE: on_bind on_file
// CONFLICT always: on_other on_other: other
// SAFE: on_other on_file
// CONFLICT always: on_file on_file: file
#include <netinet/in.h>

#include "server.h"

static int client, other, file, s1, s2, first, second;
static struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = 0x419c};

HANDLER(on_close) {
  UNUSED;
  close(client);
}

HANDLER(on_bind) {
  UNUSED;
  first = bind(s1, (struct sockaddr*)&own, sizeof own);
  second = bind(s2, (struct sockaddr*)&own, sizeof own);
}

HANDLER(on_other) {
  UNUSED;
  close(other);
}

HANDLER(on_file) {
  UNUSED;
  close(file);
}

int main(void) {
  base = event_base_new();
  int listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  s1 = socket(AF_INET, SOCK_STREAM, 0), s2 = socket(AF_INET, SOCK_STREAM, 0);
  bind(listening, (struct sockaddr*)&own, sizeof own);
  listen(listening, 5);
  client = accept(listening, NULL, NULL);
  other = accept(listening, NULL, NULL);
  file = open("state.db", O_RDONLY);
  close(listening);
  when_readable(3, on_close, NULL);
  when_readable(4, on_bind, NULL);
  when_readable(5, on_other, NULL);
  when_readable(6, on_file, NULL);
  return event_base_dispatch(base);
}
