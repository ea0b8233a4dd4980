// possible: (left\n){4}=0
// A recursive mutex that a jump leaves locked is the thread's: it takes it again.
#include "p.h"
static pthread_mutex_t lock;
static int n;
static void work(jmp_buf* back, int fail) {
  pthread_mutex_lock(&lock);
  n++;
  if (fail) longjmp(*back, 1);
  pthread_mutex_unlock(&lock);
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
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a), pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &a);
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_slow, &session[i]), due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
