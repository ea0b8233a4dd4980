// Segment counts who attached it.
// CONFLICT always: on_a on_b: attached segments
#include "server.h"
#include <sys/ipc.h>
#include <sys/shm.h>
static unsigned long attached;
static int id;
HANDLER(on_a) {
  UNUSED;
  struct shmid_ds segment;
  if (shmctl(id, IPC_STAT, &segment) == 0) attached = segment.shm_nattch;
}
HANDLER(on_b) {
  UNUSED;
  void *p = shmat(id, NULL, 0);
  (void)p;
}
int main(void) {
  base = event_base_new();
  id = shmget(IPC_PRIVATE, 100, 0600);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
