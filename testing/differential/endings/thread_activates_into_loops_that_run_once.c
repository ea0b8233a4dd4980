/* Loops that run once wait for what a thread activates; threads of the runtime are there already. */
#include <event2/thread.h>

#include "small.h"

HANDLER(on_spare) { UNUSED; }

static int n;
static struct event* x;
static volatile int ready;
HANDLER(on_long) {
  UNUSED;
  take(20);
}
HANDLER(on_never) { UNUSED; }
HANDLER(on_x) {
  UNUSED;
  n++;
}
static void* run(void* a) {
  for (int i = 0; i < 40; ++i) {
    while (!ready) usleep(100);
    ready = 0;
    take(5);
    event_active(x, EV_READ, 1);
  }
  return a;
}

int main(void) {
  evthread_use_pthreads();
  base = event_base_new();
  struct timeval never = {60, 0};
  event_base_once(base, -1, EV_TIMEOUT, on_never, NULL, &never);
  x = event_new(base, -1, EV_PERSIST, on_x, NULL);
  for (int i = 0; i < 8; ++i) due(base, on_long, NULL);
  due(base, on_spare, NULL);
  event_base_loop(base, EVLOOP_ONCE);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  while (n < 40) {
    ready = 1;
    event_base_loop(base, EVLOOP_ONCE);
  }
  pthread_join(t, NULL);
  printf("%d\n", n);
  return 0;
}
