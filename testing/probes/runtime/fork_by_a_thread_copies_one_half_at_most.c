// possible: (halves 0|halves 1)\n=0
// The child of a thread's fork() has a copy of memory: one handler at most is half done in it.
#include "p.h"
static int a, b;
HANDLER(on_a) {
  UNUSED;
  a = 1;
  take(300);
  a = 2;
}
HANDLER(on_b) {
  UNUSED;
  b = 1;
  take(300);
  b = 2;
}
static void* copy(void* x) {
  take(150);
  if (fork() == 0) {
    printf("halves %d\n", (*(volatile int*)&a == 1) + (*(volatile int*)&b == 1));
    _exit(0);
  }
  return x;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  pthread_t t;
  pthread_create(&t, NULL, copy, NULL);
  event_base_dispatch(base);
  wait(NULL);
  return 0;
}
