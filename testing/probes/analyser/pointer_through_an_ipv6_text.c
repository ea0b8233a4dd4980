// Pointer through an ipv6 text.
// CONFLICT always: on_a on_b: g
#include "server.h"

static long g;
#include <arpa/inet.h>
static char text[64];
HANDLER(on_a) {
  UNUSED;
  long* q[2];
  inet_pton(AF_INET6, text, q);
  long* p = q[0];
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  long* q[2] = {&g, NULL};
  inet_ntop(AF_INET6, q, text, sizeof text);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
