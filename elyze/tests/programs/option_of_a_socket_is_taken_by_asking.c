// Asked for the first packet of a connection, the system tells it and forgets it (tcp(7), TCP_SAVED_SYN); asked for the
// size of a buffer, it only looks.
// CONFLICT always: on_packet on_packet
// CONFLICT always: on_packet on_again
// CONFLICT always: on_again on_again
// CONFLICT always: on_packet on_size: file of connection
// CONFLICT always: on_again on_size: file of connection
// SAFE: on_size on_size
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "server.h"

static int connection;

HANDLER(on_packet) {
  UNUSED;
  char packet[500];
  socklen_t bytes = sizeof packet;
  getsockopt(connection, IPPROTO_TCP, TCP_SAVED_SYN, packet, &bytes);
}

HANDLER(on_again) {
  UNUSED;
  char packet[500];
  socklen_t bytes = sizeof packet;
  getsockopt(connection, IPPROTO_TCP, TCP_SAVED_SYN, packet, &bytes);
}

HANDLER(on_size) {
  UNUSED;
  int size;
  socklen_t bytes = sizeof size;
  getsockopt(connection, SOL_SOCKET, SO_SNDBUF, &size, &bytes);
}

int main(void) {
  base = event_base_new();
  connection = accept(socket(AF_INET, SOCK_STREAM, 0), NULL, NULL);
  when_readable(3, on_packet, NULL);
  when_readable(4, on_again, NULL);
  when_readable(5, on_size, NULL);
  return event_base_dispatch(base);
}
