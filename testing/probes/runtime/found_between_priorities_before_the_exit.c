// possible: urgent\nsecond\nend\n=0
// Between two priorities libevent polls: the descriptor that the urgent handler filled is found, and its call, urgent
// too, goes before the exit.
#include "p.h"
static int end[2];
HANDLER(on_urgent) {
  UNUSED;
  puts("urgent");
  event_base_loopexit(base, NULL);
  if (write(end[1], "x", 1) != 1) puts("?");
}
HANDLER(on_second) {
  UNUSED;
  puts("second");
}
int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 3);
  if (pipe(end) != 0) return 1;
  struct event* s = event_new(base, end[0], EV_READ, on_second, NULL);
  event_priority_set(s, 0);
  event_add(s, NULL);
  struct event* e = event_new(base, -1, 0, on_urgent, NULL);
  event_priority_set(e, 0);
  due(base, spare, NULL);
  event_active(e, EV_READ, 1);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
