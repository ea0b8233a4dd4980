// connect() of a datagram socket takes a port (ip(7)); close() gives it back. on_b tries to have it twice.
// CONFLICT always: on_a on_a: u
// CONFLICT always: on_a on_b: addresses of sockets
// CONFLICT always: on_b on_b: addresses of sockets
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "server.h"

static int u, s1, s2, first, second;
static struct sockaddr_in own;

HANDLER(on_a) {
  UNUSED;
  close(u);
}

HANDLER(on_b) {
  UNUSED;
  first = bind(s1, (struct sockaddr*)&own, sizeof own);
  second = bind(s2, (struct sockaddr*)&own, sizeof own);
}

int main(void) {
  base = event_base_new();
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = 0x0900, .sin_addr = {0x0100007f}};
  socklen_t size = sizeof own;
  u = socket(AF_INET, SOCK_DGRAM, 0), s1 = socket(AF_INET, SOCK_DGRAM, 0), s2 = socket(AF_INET, SOCK_DGRAM, 0);
  connect(u, (struct sockaddr*)&peer, sizeof peer);
  getsockname(u, (struct sockaddr*)&own, &size);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
