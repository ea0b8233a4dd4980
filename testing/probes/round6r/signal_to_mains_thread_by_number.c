// possible: (1\n){4}=0
#include "p.h"
static pthread_t of_main;
static __thread volatile sig_atomic_t dummy;
static volatile sig_atomic_t seen;
static void on_signal(int n) { (void)n; seen = 1; }
HANDLER(on_a) { UNUSED; seen = 0; pthread_kill(of_main, SIGUSR2); printf("%d\n", (int)seen); }
int main(void) {
  of_main = pthread_self();
  signal(SIGUSR2, on_signal);
  base = event_base_new();
  due(base, spare, NULL);
  for (int i = 0; i < 4; ++i) due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
