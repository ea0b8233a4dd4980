// possible: (made\n){4}=0
#include "p.h"
#include <sys/shm.h>
HANDLER(on_a) {
  UNUSED;
  int m = shmget(0x6865646c, 4096, IPC_CREAT | IPC_EXCL | 0600);
  puts(m >= 0 ? "made" : "refused");
  take(60);
  if (m >= 0) shmctl(m, IPC_RMID, NULL);
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
