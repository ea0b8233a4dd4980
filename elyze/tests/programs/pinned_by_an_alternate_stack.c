// The stack on which signal functions run is the main thread's alone: a call that may fault on a worker has none.
#include <signal.h>

#include "server.h"

HANDLER(on_read) {
  (void)what, (void)arg;
  char byte;
  if (read(fd, &byte, 1) == 1) abort();
}
// PINNED: on_read by read

HANDLER(on_memory) { UNUSED; }
// ANY THREAD: on_memory
// SAFE: on_read on_memory
// SAFE: on_memory on_memory

int main(void) {
  static char memory[1 << 16];
  const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&stack, NULL);
  base = event_base_new();
  when_readable(3, on_read, NULL);
  when_readable(4, on_memory, NULL);
  return event_base_dispatch(base);
}
