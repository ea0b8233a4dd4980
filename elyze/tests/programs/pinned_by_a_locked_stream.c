// Whoever has locked a stream may run a loop: its handlers may use that, on the same thread.
#include <stdio.h>

#include "server.h"

HANDLER(on_write) {
  UNUSED;
  puts("work");
}
// PINNED: on_write by puts

HANDLER(on_memory) { UNUSED; }
// ANY THREAD: on_memory
// SAFE: on_memory on_write

static void lock(void) { flockfile(stdout); }

int main(void) {
  base = event_base_new();
  when_readable(3, on_write, NULL);
  when_readable(4, on_memory, NULL);
  lock();
  event_base_dispatch(base);
  funlockfile(stdout);
  return 0;
}
