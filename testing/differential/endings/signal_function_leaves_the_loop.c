/* A function of a signal jumps out of the loop, as at the end of a time limit: nothing more is called. */
#include <setjmp.h>
#include <sys/time.h>

#include "small.h"

static sigjmp_buf out;
static int calls;

static void on_alarm(int number) {
  (void)number;
  siglongjmp(out, 1);
}
HANDLER(on_spare) { UNUSED; }
HANDLER(on_work) {
  UNUSED;
  for (volatile long i = 0; i < 15000000; ++i) continue;
  __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}

int main(void) {
  const struct itimerval limit = {{0, 0}, {0, 100000}};
  base = event_base_new();
  signal(SIGALRM, on_alarm);
  for (int i = 0; i < 60; ++i) due(base, on_work, NULL);
  due(base, on_spare, NULL);
  if (sigsetjmp(out, 1) == 0) {
    setitimer(ITIMER_REAL, &limit, NULL);
    event_base_dispatch(base);
  }
  const int before = __atomic_load_n(&calls, __ATOMIC_RELAXED);
  take(300);
  printf("jumped, then %d calls\n", __atomic_load_n(&calls, __ATOMIC_RELAXED) - before);
  return 0;
}
