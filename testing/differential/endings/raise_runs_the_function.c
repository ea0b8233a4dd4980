// The function for a signal counts in the middle of the handler that raises it.
#include "small.h"

static int n;
static void on_usr1(int s) {
  (void)s;
  int v = n;
  take(20);
  n = v + 1;
}
HANDLER(on_a) {
  UNUSED;
  raise(SIGUSR1);
}
HANDLER(on_b) {
  UNUSED;
  int v = n;
  take(20);
  n = v + 1;
}
int main(void) {
  signal(SIGUSR1, on_usr1);
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  printf("%d\n", n);
}
