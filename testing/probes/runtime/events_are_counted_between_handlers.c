// possible: (0|2)\n=0
// A adds two events; who counts what was added sees both or none.
#include "p.h"
static struct event *one, *two;
static int before;
HANDLER(on_a) {
  UNUSED;
  struct timeval t = {1, 0};
  event_add(one, &t);
  take(150);
  event_add(two, &t);
}
HANDLER(on_b) {
  UNUSED;
  take(60);
  printf("%d\n", event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED) - before);
}
HANDLER(on_end) {
  UNUSED;
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  one = evtimer_new(base, spare, NULL), two = evtimer_new(base, spare, NULL);
  struct timeval t = {0, 500000};
  event_add(evtimer_new(base, on_end, NULL), &t);
  before = event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  return 0;
}
