// possible: 0 left\n(35 left\n){3}=0
// EDEADLK (35): the thread has it already.
#include "p.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int n;
static void work(jmp_buf* back, int fail) {
  int r = pthread_rwlock_wrlock(&lock);
  printf("%d ", r);
  n++;
  if (fail) longjmp(*back, 1);
  pthread_rwlock_unlock(&lock);
}
HANDLER(on_slow) {
  UNUSED;
  take(60);
}
HANDLER(on_a) {
  UNUSED;
  jmp_buf back;
  if (setjmp(back) == 0) work(&back, n >= 0);
  puts("left");
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_slow, &session[i]), due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
