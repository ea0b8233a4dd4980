// possible: (0 0|1 1) -6\n=0
// A ends the process by raise(SIGABRT), before B or after it. Its parent looks at what B has written.
#include "p.h"
#include <sys/mman.h>
static volatile int* m;
HANDLER(on_a) {
  UNUSED;
  unsigned long mine = 0;
  for (volatile unsigned long i = 0; i < 60000000; i++) mine += i;
  raise(mine ? SIGABRT : SIGTERM);
}
HANDLER(on_b) {
  UNUSED;
  m[0] = 1;
  for (volatile unsigned long i = 0; i < 800000000; i++) continue;
  m[1] = 1;
}
int main(void) {
  m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t p = fork();
  if (p == 0) {
    base = event_base_new();
    due(base, on_a, NULL);
    due(base, on_b, NULL);
    event_base_dispatch(base);
    _exit(0);
  }
  int status = 0;
  waitpid(p, &status, 0);
  printf("%d %d -%d\n", m[0], m[1], WTERMSIG(status));
  return 0;
}
