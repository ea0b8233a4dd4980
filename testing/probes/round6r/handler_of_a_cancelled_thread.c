// possible: cancelled 1\n=0
// A handler that sleeps is cancelled with the thread that runs the loop.
// flags: -pthread
#include "p.h"
static int begun;
static void* run(void* arg) { event_base_dispatch(base); return arg; }
HANDLER(on_a) { UNUSED; begun = 1; take(400); begun = 2; }
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  take(150);
  pthread_cancel(t);
  void* r;
  pthread_join(t, &r);
  printf("%s %d\n", r == PTHREAD_CANCELED ? "cancelled" : "returned", begun);
  return 0;
}
