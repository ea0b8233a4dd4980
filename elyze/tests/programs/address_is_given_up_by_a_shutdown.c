// shutdown() of a listening socket lets others listen on its address (tcp(7), SO_REUSEADDR): on_b, which tries twice,
// is refused twice or never in each serial run.
// CONFLICT always: on_a on_a: listening
// CONFLICT always: on_a on_b: addresses of sockets
// CONFLICT always: on_b on_b: addresses of sockets
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "server.h"

static int listening, s1, s2, first, second;
static struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = 0x409c};

HANDLER(on_a) {
  UNUSED;
  shutdown(listening, SHUT_RD);
}

HANDLER(on_b) {
  UNUSED;
  first = bind(s1, (struct sockaddr*)&own, sizeof own);
  second = bind(s2, (struct sockaddr*)&own, sizeof own);
}

int main(void) {
  base = event_base_new();
  int one = 1;
  listening = socket(AF_INET, SOCK_STREAM, 0), s1 = socket(AF_INET, SOCK_STREAM, 0),
  s2 = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  setsockopt(s1, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  setsockopt(s2, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  bind(listening, (struct sockaddr*)&own, sizeof own);
  listen(listening, 5);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
