// possible: (work\n)*main thread\n=0
// exit() calls it on the thread that called exit(): that of the loop.
#include "p.h"
static pthread_t of_main;
static void at_exit(void) { puts(pthread_equal(pthread_self(), of_main) ? "main thread" : "other thread"); }
HANDLER(on_a) { UNUSED; take(30); exit(0); }
HANDLER(work) { UNUSED; take(60); }
int main(void) {
  of_main = pthread_self();
  atexit(at_exit);
  base = event_base_new();
  due(base, work, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
