// possible: cancelled, begun 1, ended 0\n=0
// The thread of the loop is cancelled in one handler; the other one is never called.
// flags: -pthread
#include "p.h"
static int begun_a, begun_b, ended_a, ended_b;
static void* run(void* arg) { event_base_dispatch(base); return arg; }
HANDLER(on_a) { UNUSED; begun_a = 1; take(300); ended_a = 1; }
HANDLER(on_b) { UNUSED; begun_b = 1; take(300); ended_b = 1; }
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  take(150);
  pthread_cancel(t);
  void* r;
  pthread_join(t, &r);
  take(400);
  printf("%s, begun %d, ended %d\n", r == PTHREAD_CANCELED ? "cancelled" : "returned", begun_a + begun_b, ended_a + ended_b);
  return 0;
}
