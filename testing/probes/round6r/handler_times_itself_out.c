// possible: (timed out\n){3}=0
#include "p.h"
static sigjmp_buf out;
static void on_alarm(int n) { (void)n; siglongjmp(out, 1); }
HANDLER(on_a) {
  UNUSED;
  if (sigsetjmp(out, 1) == 0) {
    struct itimerval t = {{0, 0}, {0, 30000}};
    setitimer(ITIMER_REAL, &t, NULL);
    for (volatile long i = 0; i < 5000000000L; ++i) continue;
  }
  puts("timed out");
}
HANDLER(work) { UNUSED; take(200); }
int main(void) {
  signal(SIGALRM, on_alarm);
  base = event_base_new();
  due(base, work, NULL);
  for (int i = 0; i < 3; ++i) due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
