// A lease (fcntl(2), F_SETLEASE, in main) refuses others that do not wait, until its descriptor is closed.
// b opens twice: refused twice, or never.
// CONFLICT always: on_a on_b
#define _GNU_SOURCE
#include "server.h"

static int held, first, second;

HANDLER(on_a) {
  UNUSED;
  close(held);
}

HANDLER(on_b) {
  UNUSED;
  first = open("state.db", O_RDWR | O_NONBLOCK);
  second = open("state.db", O_RDWR | O_NONBLOCK);
}

int main(void) {
  base = event_base_new();
  held = open("state.db", O_RDONLY);
  fcntl(held, F_SETLEASE, F_RDLCK);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
