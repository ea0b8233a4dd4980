// SO_REUSEADDR of a socket that has an address decides whether another one may have it as well (socket(7)): on_ask finds
// it free in no serial run. Options that are one socket's alone may be set beside it.
// CONFLICT always: on_allow on_allow: shared
// CONFLICT always: on_allow on_ask: state of the system
// CONFLICT always: on_ask on_ask: second
// SAFE: on_allow on_number
// CONFLICT always: on_delay on_delay: third
// SAFE: on_ask on_delay
// SAFE: on_ask on_number
// SAFE: on_delay on_number
// CONFLICT always: on_allow on_delay: state of the system
// CONFLICT always: on_number on_number: numbers
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "server.h"

static int shared;
static int second;
static int third;
static int taken;
static int numbers;

HANDLER(on_allow) {
  UNUSED;
  int yes = 1;
  int no = 0;
  setsockopt(shared, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  setsockopt(shared, SOL_SOCKET, SO_REUSEADDR, &no, sizeof no);
}

HANDLER(on_ask) {
  UNUSED;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(5000)};
  if (bind(second, (struct sockaddr*)&address, sizeof address) == 0) taken++;
}

HANDLER(on_delay) {
  UNUSED;
  int no = 0;
  setsockopt(third, IPPROTO_TCP, TCP_NODELAY, &no, sizeof no);
}

HANDLER(on_number) {
  UNUSED;
  numbers++;
}

int main(void) {
  base = event_base_new();
  shared = socket(AF_INET, SOCK_DGRAM, 0);
  second = socket(AF_INET, SOCK_DGRAM, 0);
  third = socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_allow, NULL);
  when_readable(4, on_ask, NULL);
  when_readable(5, on_delay, NULL);
  when_readable(6, on_number, NULL);
  return event_base_dispatch(base);
}
