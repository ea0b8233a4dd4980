// Segment is made exclusively.
// CONFLICT always: on_a on_b: keys of shared memory
#include "server.h"
#include <sys/ipc.h>
#include <sys/shm.h>
static long one, two;
HANDLER(on_a) {
  UNUSED;
  one = shmget(77, 100, IPC_CREAT | IPC_EXCL | 0600);
}
HANDLER(on_b) {
  UNUSED;
  two = shmget(77, 100, IPC_CREAT | IPC_EXCL | 0600);
}
int main(void) {
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
