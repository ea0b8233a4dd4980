// possible: (3|4|5)\n=0
// Three timers run out during a handler: the poll after it finds all of them.
#include "p.h"
HANDLER(on_timer) { UNUSED; }
HANDLER(on_long) {
  UNUSED;
  take(100);
}
int main(void) {
  base = event_base_new();
  due(base, on_long, NULL);
  for (int i = 1; i <= 3; ++i) due_in(i * 20, on_timer, NULL);
  event_base_dispatch(base);
  printf("%d\n", event_base_get_max_events(base, EVENT_BASE_COUNT_ACTIVE, 0));
  return 0;
}
