// /proc/thread-self leads to another directory in each thread (proc(5)).
// CONFLICT always: on_ask on_ask
// CONFLICT always: on_ask on_tick
// PINNED: on_ask by a file of the kernel
// ANY THREAD: on_tick
#include "server.h"

HANDLER(on_ask) {
  UNUSED;
  char path[64];
  readlink("/proc/thread-self", path, sizeof path);
}

HANDLER(on_tick) { UNUSED; }

int main(void) {
  base = event_base_new();
  when_readable(3, on_ask, NULL);
  when_readable(4, on_tick, NULL);
  return event_base_dispatch(base);
}
