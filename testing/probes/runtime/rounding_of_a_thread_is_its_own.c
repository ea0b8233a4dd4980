// possible: (0x1.5555555555555p-2\n){6}=0
// A thread of the program rounds upward for itself, and gives the loop work. Handlers round to nearest.
#include "p.h"
static volatile double one = 1, three = 3;
static struct event* work[6];
HANDLER(on_slow) {
  UNUSED;
  take(250);
}
HANDLER(on_work) {
  UNUSED;
  take(30);
  printf("%a\n", one / three);
}
static void* give(void* x) {
  fesetround(FE_UPWARD);
  for (int i = 0; i < 6; i++) take(25), event_active(work[i], EV_READ, 1);
  return x;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  static int session[6];
  for (int i = 0; i < 6; i++) work[i] = event_new(base, -1, 0, on_work, &session[i]);
  due(base, on_slow, NULL);
  pthread_t t;
  pthread_create(&t, NULL, give, NULL);
  event_base_dispatch(base);
  pthread_join(t, NULL);
  event_base_dispatch(base);
  return 0;
}
