// possible: 0 2 1\nleft\n=0
#include "p.h"
HANDLER(on_a) { UNUSED; puts("called"); }
HANDLER(last) { UNUSED; puts("left"); event_base_loopbreak(base); }
int main(void) {
  base = event_base_new();
  struct event* ev = event_new(base, -1, EV_READ, on_a, NULL);
  int r = event_add(ev, NULL);
  printf("%d %d %d\n", r, event_pending(ev, EV_READ, NULL), event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED));
  due_in(50, last, NULL);
  event_base_dispatch(base);
  return 0;
}
