// A lease (fcntl(2), F_SETLEASE, in main) refuses others that do not wait, until its descriptor is closed. on_b opens
// twice: refused twice, or never. A socket that is closed ends no lease.
// CONFLICT always: on_a on_a: held
// CONFLICT always: on_a on_b: directory entry of state.db
// CONFLICT always: on_b on_b: first
// SAFE: on_b on_c
// SAFE: on_a on_c
// CONFLICT always: on_c on_c: other
#define _GNU_SOURCE
#include "server.h"

static int held, other, first, second;

HANDLER(on_a) {
  UNUSED;
  close(held);
}

HANDLER(on_b) {
  UNUSED;
  first = open("state.db", O_RDWR | O_NONBLOCK);
  second = open("state.db", O_RDWR | O_NONBLOCK);
}

HANDLER(on_c) {
  UNUSED;
  close(other);
}

int main(void) {
  base = event_base_new();
  held = open("state.db", O_RDONLY);
  other = socket(AF_INET, SOCK_DGRAM, 0);
  fcntl(held, F_SETLEASE, F_RDLCK);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  when_readable(5, on_c, NULL);
  return event_base_dispatch(base);
}
