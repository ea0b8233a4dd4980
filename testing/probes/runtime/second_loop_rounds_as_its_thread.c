// possible: (0x1.5555555555556p-2\n){4}second\n(0x1.5555555555555p-2\n){4}=0
// main rounds upward and runs the loop; then a thread that was started before runs it, and rounds to nearest.
#include "p.h"
static volatile double one = 1, three = 3;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int session[8];
HANDLER(on_work) {
  UNUSED;
  take(40);
  printf("%a\n", one / three);
}
static void* run(void* x) {
  pthread_mutex_lock(&turn);
  puts("second");
  for (int i = 4; i < 8; i++) due(base, on_work, &session[i]);
  event_base_dispatch(base);
  return x;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  pthread_mutex_lock(&turn);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  fesetround(FE_UPWARD);
  for (int i = 0; i < 4; i++) due(base, on_work, &session[i]);
  event_base_dispatch(base);
  pthread_mutex_unlock(&turn);
  pthread_join(t, NULL);
  return 0;
}
