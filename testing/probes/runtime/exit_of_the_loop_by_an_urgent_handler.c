// possible: urgent\n(end)\n=0
// The exit has the priority in the middle, which is worse than the handler's.
#include "p.h"
HANDLER(on_urgent) {
  UNUSED;
  puts("urgent");
  event_base_loopexit(base, NULL);
}
int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 3);
  due(base, spare, NULL);
  struct event* e = event_new(base, -1, 0, on_urgent, NULL);
  event_priority_set(e, 0);
  event_active(e, EV_READ, 1);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
