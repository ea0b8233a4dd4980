// Each shmat() of one segment gives another address of the same memory.
// CONFLICT always: on_hit on_hit: shared memory
// CONFLICT always: on_hit on_show: shared memory
// SAFE: on_show on_show
#include <sys/shm.h>

#include "server.h"

static int segment;

HANDLER(on_hit) {
  UNUSED;
  long* hits = shmat(segment, NULL, 0);
  ++*hits;
}

HANDLER(on_show) {
  UNUSED;
  const long* hits = shmat(segment, NULL, SHM_RDONLY);
  printf("%ld\n", *hits);
}

int main(void) {
  segment = shmget(IPC_PRIVATE, 4096, 0600);
  base = event_base_new();
  when_readable(3, on_hit, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
