// A thread that runs the loop is cancelled in the one handler that it is in, and begins no other.
#include <pthread.h>
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

static void *run(void *arg) {
  event_base_dispatch(base);
  return arg;
}

int main(void) {
  pthread_t thread;
  base = event_base_new();
  when_readable(3, on_write, NULL);
  when_readable(4, on_memory, NULL);
  pthread_create(&thread, NULL, run, NULL);
  pthread_cancel(thread);
  return pthread_join(thread, NULL);
}
