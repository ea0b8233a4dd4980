// CONFLICT always: on_a on_a: memory of a segment
// CONFLICT always: on_a on_b: memory of a segment
// CONFLICT always: on_b on_b: n
// PINNED: on_a by memory of a segment
// ANY THREAD: on_b
// A pointer is kept in the segment.
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "server.h"

static int n, *area[64];
#define SLOT(k) (*(int* __attribute__((address_space(256)))*)(k))

HANDLER(on_a) {
  UNUSED;
  ++*SLOT(16);
}

HANDLER(on_b) {
  UNUSED;
  n++;
}

int main(void) {
  base = event_base_new();
  syscall(158, 0x1001, area);
  SLOT(16) = &n;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
