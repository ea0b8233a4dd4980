#define _GNU_SOURCE
#include "server.h"

struct header {
  int kind;
};
struct packet {
  struct header header;
  int length;
};
static struct packet packet;
static struct header *current = &packet.header;
HANDLER(on_a) {
  UNUSED;
  ((struct packet *)current)->length = 1;
}
HANDLER(on_b) {
  UNUSED;
  if (packet.length) exit(1);
}
HANDLER(on_c) {
  UNUSED;
  if (packet.header.kind) exit(1);
}
// CONFLICT always: on_a on_b: packet.length
// SAFE: on_a on_c

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}
