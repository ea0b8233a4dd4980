// Two connections from one port to one peer: the second is refused (connect(2), EADDRNOTAVAIL). on_a connects and
// dissolves (AF_UNSPEC). Serial: both succeed, or on_b succeeds and on_a does not; beside each other on_a succeeds and
// on_b does not.
// CONFLICT always: on_a on_a: s1
// CONFLICT always: on_a on_b: addresses of sockets
// CONFLICT always: on_b on_b: s2
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "server.h"

static int s1, s2, failed_a, failed_b;
static struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = 0x0900, .sin_addr = {0x010200c0}};
static struct sockaddr none;

HANDLER(on_a) {
  UNUSED;
  failed_a = connect(s1, (struct sockaddr*)&peer, sizeof peer);
  connect(s1, &none, sizeof none);
}

HANDLER(on_b) {
  UNUSED;
  failed_b = connect(s2, (struct sockaddr*)&peer, sizeof peer);
}

int main(void) {
  base = event_base_new();
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = 0x409c};
  int one = 1;
  s1 = socket(AF_INET, SOCK_STREAM, 0), s2 = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(s1, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  setsockopt(s2, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  bind(s1, (struct sockaddr*)&own, sizeof own);
  bind(s2, (struct sockaddr*)&own, sizeof own);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
