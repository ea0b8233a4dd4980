// getaddrinfo() asks from ports of its own, which it gives back (ip(7)): on_b may find one taken, which is free in each
// serial run.
// SAFE: on_a on_a
// CONFLICT always: on_a on_b: addresses of sockets
// CONFLICT always: on_b on_b: addresses of sockets
#include <netdb.h>
#include <netinet/in.h>

#include "server.h"

static int s1, s2, first, second;
static struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = 0x439c};

HANDLER(on_a) {
  UNUSED;
  struct addrinfo* found = NULL;
  if (getaddrinfo("192.0.2.1", "9", NULL, &found) == 0) freeaddrinfo(found);
}

HANDLER(on_b) {
  UNUSED;
  first = bind(s1, (struct sockaddr*)&own, sizeof own);
  second = bind(s2, (struct sockaddr*)&own, sizeof own);
}

int main(void) {
  base = event_base_new();
  s1 = socket(AF_INET, SOCK_DGRAM, 0), s2 = socket(AF_INET, SOCK_DGRAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
