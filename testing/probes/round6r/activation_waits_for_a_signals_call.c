// possible: ended\nended\n=0
// event_active() of a signal's event by another thread waits while its call runs.
// flags: -pthread
#include "p.h"
static struct event* ev;
static int runs;
HANDLER(on_signal) { UNUSED; __atomic_store_n(&runs, 1, 5); take(150); __atomic_store_n(&runs, 0, 5); }
static void* thread(void* arg) {
  take(60);
  event_active(ev, EV_SIGNAL, 1);
  puts(__atomic_load_n(&runs, 5) ? "runs" : "ended");
  take(400);
  puts("ended");
  return arg;
}
int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  ev = evsignal_new(base, SIGUSR2, on_signal, NULL);
  event_active(ev, EV_SIGNAL, 1);
  due(base, spare, NULL);
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  event_base_loop(base, EVLOOP_NONBLOCK);
  pthread_join(t, NULL);
  return 0;
}
