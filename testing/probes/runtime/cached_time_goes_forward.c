// possible: forward\n=0
// Of two calls that one thread makes the later one finds no earlier time.
#include "p.h"
static struct timeval seen;
HANDLER(on_timer) {
  UNUSED;
  event_base_gettimeofday_cached(base, &seen);
}
HANDLER(after) {
  UNUSED;
  struct timeval now;
  event_base_gettimeofday_cached(base, &now);
  puts(evutil_timercmp(&now, &seen, <) ? "back" : "forward");
}
HANDLER(on_a) {
  UNUSED;
  take(100);
  event_base_once(base, -1, EV_TIMEOUT, after, NULL, NULL);
}
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due_in(30, on_timer, NULL);
  event_base_dispatch(base);
  return 0;
}
