/* Another thread that makes a signal's event active, or adds it, waits while its call runs. */
#include <event2/thread.h>

#include "small.h"

static struct event* ev;
static int runs;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_signal) {
  UNUSED;
  __atomic_store_n(&runs, 1, __ATOMIC_SEQ_CST);
  take(150);
  __atomic_store_n(&runs, 0, __ATOMIC_SEQ_CST);
}

static void* activate(void* arg) {
  take(60);
  event_active(ev, EV_SIGNAL, 1);
  say(__atomic_load_n(&runs, __ATOMIC_SEQ_CST) ? "runs\n" : "has ended\n");
  event_del(ev);
  return arg;
}

static void* add(void* arg) {
  take(60);
  event_add(ev, NULL);
  say(__atomic_load_n(&runs, __ATOMIC_SEQ_CST) ? "runs\n" : "has ended\n");
  event_del(ev);
  return arg;
}

static void during_a_call(void* (*function)(void*)) {
  pthread_t thread;
  event_active(ev, EV_SIGNAL, 1);
  due(base, on_spare, NULL);
  pthread_create(&thread, NULL, function, NULL);
  event_base_loop(base, EVLOOP_ONCE);
  pthread_join(thread, NULL);
}

int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  ev = evsignal_new(base, SIGUSR2, on_signal, NULL);
  during_a_call(add);
  during_a_call(activate);
  return 0;
}
