// CONFLICT always: on_a on_b: the same of bufferevent_enable on a closed socket
// Schedule: as warning_of_libevent_beside_a_line.
#include "server.h"
#include <stdio.h>
#include <event2/bufferevent.h>
static struct bufferevent* b;
HANDLER(on_a) {
  UNUSED;
  fprintf(stderr, "enabling\n");
  bufferevent_enable(b, EV_READ);
}
HANDLER(on_b) {
  UNUSED;
  fprintf(stderr, "hello\n");
}
int main(void) {
  base = event_base_new();
  b = bufferevent_socket_new(base, 99, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
