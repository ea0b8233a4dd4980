// possible: low\nurgent\nlow\nlow\n=0
// The program has asked for a look at the descriptors after each call.
#include "p.h"
static int end[2], calls;
HANDLER(on_low) {
  UNUSED;
  puts("low");
  if (calls++ == 0 && write(end[1], "x", 1) != 1) puts("?");
  take(5);
}
HANDLER(on_urgent) {
  UNUSED;
  calls += 10;
  puts("urgent");
}
int main(void) {
  struct event_config* c = event_config_new();
  event_config_set_max_dispatch_interval(c, NULL, 1, 0);
  base = event_base_new_with_config(c);
  event_base_priority_init(base, 2);
  if (pipe(end) != 0) return 1;
  struct event* u = event_new(base, end[0], EV_READ, on_urgent, NULL);
  event_priority_set(u, 0);
  event_add(u, NULL);
  for (int i = 0; i < 3; i++) {
    struct event* e = event_new(base, -1, 0, on_low, NULL);
    event_priority_set(e, 1);
    event_active(e, EV_READ, 1);
  }
  due(base, spare, NULL);
  event_base_dispatch(base);
  return 0;
}
