// connect() binds a socket that has no port (ip(7)): bind() to that port fails meanwhile.
// SAFE: on_connect on_connect
// CONFLICT always: on_connect on_bind: addresses of sockets
// CONFLICT always: on_bind on_bind: directory entry of some file
#include <netinet/in.h>

#include "server.h"

static struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = 0x0900, .sin_addr = {0x010200c0}},
                          own = {.sin_family = AF_INET, .sin_port = 0x409c};  // 192.0.2.1:9, port 40000
static int failed;

HANDLER(on_connect) {
  UNUSED;
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  connect(s, (struct sockaddr*)&peer, sizeof peer);
  close(s);
}

HANDLER(on_bind) {
  UNUSED;
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  failed += bind(s, (struct sockaddr*)&own, sizeof own) < 0;
  close(s);
}

int main(void) {
  base = event_base_new();

  when_readable(3, on_connect, NULL);
  when_readable(4, on_bind, NULL);
  return event_base_dispatch(base);
}
