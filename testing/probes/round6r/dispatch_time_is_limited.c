// possible: low\nurgent\nlow\nlow\n=0
// After ten milliseconds of calls libevent looks for more urgent ones.
#include "p.h"
static int p[2];
HANDLER(on_read) { UNUSED; puts("urgent"); }
HANDLER(on_low) { UNUSED; if (arg) (void)!write(p[1], "x", 1); take(20); puts("low"); }
int main(void) {
  struct event_config* c = event_config_new();
  struct timeval most = {0, 10000};
  event_config_set_max_dispatch_interval(c, &most, -1, 1);
  base = event_base_new_with_config(c);
  event_base_priority_init(base, 2);
  if (pipe(p) != 0) return 2;
  struct event* r = event_new(base, p[0], EV_READ, on_read, NULL);
  event_priority_set(r, 0);
  event_add(r, NULL);
  for (int i = 0; i < 3; ++i) {
    struct event* l = event_new(base, -1, 0, on_low, i == 0 ? p : NULL);
    event_priority_set(l, 1);
    event_active(l, EV_READ, 1);
  }
  event_base_dispatch(base);
  return 0;
}
