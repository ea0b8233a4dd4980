// possible: done\nend\n=0
// A guard: libevent does not poll while A works, and A has deleted the timer before it ends.
#include "p.h"
static struct event* guard;
HANDLER(on_guard) {
  UNUSED;
  fputs("too late\n", stderr);
}
HANDLER(on_a) {
  UNUSED;
  struct timeval t = {0, 20000};
  event_add(guard, &t);
  take(120);
  event_del(guard);
  puts("done");
}
int main(void) {
  base = event_base_new();
  guard = evtimer_new(base, on_guard, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
