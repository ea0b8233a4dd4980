// A signal to the own process has been handled when kill() returns.
#include "small.h"

static volatile sig_atomic_t seen;
static void on_usr1(int s) {
  (void)s;
  seen = 1;
}
static int misses;
HANDLER(on_a) {
  UNUSED;
  for (int i = 0; i < 200; i++) {
    seen = 0;
    kill(getpid(), SIGUSR1);
    if (!seen) misses++;
  }
}
HANDLER(on_b) {
  UNUSED;
  take(30);
}
int main(void) {
  signal(SIGUSR1, on_usr1);
  base = event_base_new();
  due(base, on_b, NULL);
  due(base, on_b, NULL);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  printf("%d\n", misses);
}
