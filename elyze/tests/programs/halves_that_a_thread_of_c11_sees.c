// CONFLICT always: on_a on_a: x
// CONFLICT always: on_a on_b: what watch may see half done
// CONFLICT always: on_b on_b: y
// thrd_create() has no spec: a thread that looks at both sees each half done; in a serial run one at most.
#include <pthread.h>
#include <threads.h>

#include "server.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y, half;
static void set(int* p, int v) {
  pthread_mutex_lock(&m);
  *p = v;
  pthread_mutex_unlock(&m);
}
static int watch(void* p) {
  (void)p;
  pthread_mutex_lock(&m);
  half += x == 1 && y == 1;
  pthread_mutex_unlock(&m);
  return 0;
}

HANDLER(on_a) {
  UNUSED;
  set(&x, 1);
  set(&x, 2);
}

HANDLER(on_b) {
  UNUSED;
  set(&y, 1);
  set(&y, 2);
}

int main(void) {
  base = event_base_new();
  thrd_t t;
  thrd_create(&t, watch, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
