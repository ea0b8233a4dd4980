// possible: forward\n=0
// One cached time per base: who comes later in the pass finds what the handler before has updated it to.
#include "p.h"
static struct timeval updated;
HANDLER(on_a) { UNUSED; take(80); event_base_update_cache_time(base); event_base_gettimeofday_cached(base, &updated); }
HANDLER(on_b) {
  UNUSED;
  struct timeval now;
  event_base_gettimeofday_cached(base, &now);
  puts(evutil_timercmp(&now, &updated, <) ? "back" : "forward");
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  event_base_dispatch(base);
  return 0;
}
