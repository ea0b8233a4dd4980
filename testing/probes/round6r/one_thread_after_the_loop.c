// possible: 0\n=0
// A process of one thread may leave what only threads share (unshare(2): EINVAL "if the caller is multithreaded").
#include "p.h"
#include <sched.h>
HANDLER(on_a) { UNUSED; take(30); }
int main(void) {
  base = event_base_new();
  for (int i = 0; i < 4; ++i) due(base, on_a, NULL);
  event_base_dispatch(base);
  printf("%d\n", unshare(CLONE_SIGHAND) == 0 ? 0 : errno);
  return 0;
}
