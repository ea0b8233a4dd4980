// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_look: a_begun
// CONFLICT always: on_b on_look: b_begun
// A handler of another thread's loop sees what two others leave half done; what starts the thread has no spec.
#include <pthread.h>
#include <threads.h>

#include "server.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a_begun, a_done, b_begun, b_done, worst;
static struct event_base* second;
static void add(int* n) {
  pthread_mutex_lock(&m);
  ++*n;
  pthread_mutex_unlock(&m);
}
static void add2(int* n) {
  pthread_mutex_lock(&m);
  ++*n;
  pthread_mutex_unlock(&m);
}

HANDLER(on_a) {
  UNUSED;
  add(&a_begun);
  add(&a_done);
}

HANDLER(on_b) {
  UNUSED;
  add2(&b_begun);
  add2(&b_done);
}

HANDLER(on_look) {
  UNUSED;
  pthread_mutex_lock(&m);
  int half = a_begun - a_done + b_begun - b_done;
  if (half > worst) worst = half;
  pthread_mutex_unlock(&m);
}

static int serve(void* arg) {
  (void)arg;
  return event_base_dispatch(second);
}

int main(void) {
  thrd_t t;
  base = event_base_new();
  second = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_add(event_new(second, 5, EV_READ | EV_PERSIST, on_look, NULL), NULL);
  thrd_create(&t, serve, NULL);
  return event_base_dispatch(base);
}
