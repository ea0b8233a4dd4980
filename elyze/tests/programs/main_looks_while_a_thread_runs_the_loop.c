// main sees what two handlers leave half done, each under the lock; the loop is a thread's.
// CONFLICT always: on_a on_b: what main may see half done
#include "server.h"
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a_begun, a_done, b_begun, b_done, worst;
static void on_a_adds(int* n) {
  pthread_mutex_lock(&m);
  ++*n;
  pthread_mutex_unlock(&m);
}
static void on_b_adds(int* n) {
  pthread_mutex_lock(&m);
  ++*n;
  pthread_mutex_unlock(&m);
}
HANDLER(on_a) {
  UNUSED;
  on_a_adds(&a_begun);
  usleep(1000);
  on_a_adds(&a_done);
}
HANDLER(on_b) {
  UNUSED;
  on_b_adds(&b_begun);
  usleep(1000);
  on_b_adds(&b_done);
}
static void* serve(void* arg) {
  event_base_dispatch(base);
  return arg;
}
static void look(void) {
  pthread_mutex_lock(&m);
  int half = a_begun - a_done + b_begun - b_done;
  if (half > worst) worst = half;
  pthread_mutex_unlock(&m);
}
int main(void) {
  pthread_t t;
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  pthread_create(&t, NULL, serve, NULL);
  for (;;) {
    usleep(500);
    look();
  }
}
