// possible: low low urgent \n=0
// A low handler makes a second one of its priority due: both are of one pass, and the urgent timer of the next poll.
#include "p.h"
static char said[32];
HANDLER(on_timer) {
  UNUSED;
  strcat(said, "urgent ");
}
HANDLER(on_low) {
  UNUSED;
  strcat(said, "low ");
}
HANDLER(on_a) {
  UNUSED;
  take(80);
  struct event* l = event_new(base, -1, 0, on_low, NULL);
  event_active(l, EV_READ, 1);
  l = event_new(base, -1, 0, on_low, NULL);
  event_active(l, EV_READ, 1);
}
int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  struct event* t = evtimer_new(base, on_timer, NULL);
  event_priority_set(t, 0);
  struct timeval in = {0, 20000};
  event_add(t, &in);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  puts(said);
  return 0;
}
