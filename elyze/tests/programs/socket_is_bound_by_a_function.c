// As connection_from_one_port_to_one_peer, where a function that gets the socket binds it, and another one connects it.
// Sockets without an address of their own are connected in any order.
// CONFLICT always: on_a on_a: s1
// CONFLICT always: on_a on_b: addresses of sockets
// CONFLICT always: on_b on_b: s2
// CONFLICT always: on_a on_free: addresses of sockets
// CONFLICT always: on_b on_free: addresses of sockets
// SAFE: on_free on_free
#include <netinet/in.h>

#include "server.h"

static int s1, s2, failed_a, failed_b;
static struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = 0x0900, .sin_addr = {0x010200c0}};
static struct sockaddr none;

static int reach(int from) { return connect(from, (struct sockaddr*)&peer, sizeof peer); }

static int bound(void) {
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = 0x449c};
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  const int one = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  bind(made, (struct sockaddr*)&own, sizeof own);
  return made;
}

HANDLER(on_a) {
  UNUSED;
  failed_a = reach(s1);
  connect(s1, &none, sizeof none);
}

HANDLER(on_b) {
  UNUSED;
  failed_b = reach(s2);
}

HANDLER(on_free) {
  UNUSED;
  const int made = socket(AF_INET, SOCK_DGRAM, 0);
  reach(made);
  close(made);
}

int main(void) {
  base = event_base_new();
  s1 = bound(), s2 = bound();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_free, NULL);
  return event_base_dispatch(base);
}
