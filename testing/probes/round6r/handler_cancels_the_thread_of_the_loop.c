// possible: cancelled 0\n=0
// Its own thread, by the number that main has kept: it ends at the next cancellation point, which is in the handler.
// flags: -pthread
#include "p.h"
static pthread_t of_loop;
static int ended;
HANDLER(on_a) { UNUSED; pthread_cancel(of_loop); take(100); ended = 1; }
HANDLER(work) { UNUSED; take(200); }
static void* run(void* arg) { event_base_dispatch(base); return arg; }
int main(void) {
  base = event_base_new();
  due(base, work, NULL);
  due(base, on_a, NULL);
  pthread_create(&of_loop, NULL, run, NULL);
  void* r;
  pthread_join(of_loop, &r);
  take(500);
  printf("%s %d\n", r == PTHREAD_CANCELED ? "cancelled" : "returned", ended);
  return 0;
}
