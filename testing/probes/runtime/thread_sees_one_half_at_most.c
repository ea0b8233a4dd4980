// possible: (halves 0|halves 1)\n=0
// A thread of the program looks, under the locks: with one thread of handlers only one can be in the middle.
#include "p.h"
static int a, b;
static pthread_mutex_t for_a = PTHREAD_MUTEX_INITIALIZER, for_b = PTHREAD_MUTEX_INITIALIZER;
static void set(pthread_mutex_t* m, int* x, int v) {
  pthread_mutex_lock(m);
  *x = v;
  pthread_mutex_unlock(m);
}
HANDLER(on_a) {
  UNUSED;
  set(&for_a, &a, 1);
  take(300);
  set(&for_a, &a, 2);
}
HANDLER(on_b) {
  UNUSED;
  set(&for_b, &b, 1);
  take(300);
  set(&for_b, &b, 2);
}
static void* look(void* x) {
  int most = 0;
  for (int i = 0; i < 60; i++) {
    take(10);
    pthread_mutex_lock(&for_a), pthread_mutex_lock(&for_b);
    int now = (a == 1) + (b == 1);
    pthread_mutex_unlock(&for_b), pthread_mutex_unlock(&for_a);
    if (now > most) most = now;
  }
  printf("halves %d\n", most);
  return x;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  pthread_t t;
  pthread_create(&t, NULL, look, NULL);
  event_base_dispatch(base);
  pthread_join(t, NULL);
  return 0;
}
