// possible: (urgent\n)+(low\n)?end\n=0
// While the urgent handler runs the timer for the exit comes up, and a call of a worse priority is due.
#include "p.h"
static struct event *low, *urgent;
HANDLER(on_urgent) {
  UNUSED;
  puts("urgent");
  take(150);
  event_active(low, EV_READ, 1);
  take(50);
}
HANDLER(on_low) {
  UNUSED;
  puts("low");
}
int main(void) {
  base = event_base_new();
  event_base_priority_init(base, 2);
  low = event_new(base, -1, 0, on_low, NULL);
  event_priority_set(low, 1);
  urgent = event_new(base, -1, 0, on_urgent, NULL);
  event_priority_set(urgent, 0);
  event_active(urgent, EV_READ, 1);
  due(base, spare, NULL);
  struct timeval t = {0, 60000}, forever = {3600, 0};
  event_add(event_new(base, -1, 0, spare, NULL), &forever);
  event_base_loopexit(base, &t);
  event_base_dispatch(base);
  puts("end");
  return 0;
}
