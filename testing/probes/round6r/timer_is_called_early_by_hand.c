// possible: called 2\nend\n=0
// A timer that a handler makes active: it is called for that, and its time counts no more.
#include "p.h"
static struct event* t;
HANDLER(on_timer) { UNUSED; printf("called %d\n", what); }
HANDLER(on_a) { UNUSED; take(60); event_active(t, EV_READ, 1); }
int main(void) {
  base = event_base_new();
  t = evtimer_new(base, on_timer, NULL);
  struct timeval in = {0, 20000};
  event_add(t, &in);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
