// possible: 7\n=3
#include "p.h"
static __thread int of_thread;
static void at_exit(void) { printf("%d\n", of_thread); }
HANDLER(on_a) { UNUSED; take(30); exit(3); }
HANDLER(work) { UNUSED; take(60); }
int main(void) {
  of_thread = 7;
  atexit(at_exit);
  base = event_base_new();
  due(base, work, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
