/* Calls that one look finds have one time: of the timers that they set, the shorter comes first. */
#include <sys/time.h>

#include "small.h"

static struct timeval first;
static int order;

HANDLER(on_spare) { UNUSED; }
HANDLER(on_long_timer) {
  UNUSED;
  ++order;
  say("the long one\n");
}
HANDLER(on_short_timer) {
  UNUSED;
  ++order;
  say("the short one\n");
}
HANDLER(on_a) {
  UNUSED;
  ++order;
  event_base_gettimeofday_cached(base, &first);
  due_in(200, on_long_timer, NULL);
  take(100);
}
HANDLER(on_b) {
  UNUSED;
  struct timeval second;
  ++order;
  event_base_gettimeofday_cached(base, &second);
  say(timercmp(&first, &second, ==) ? "one time\n" : "two times\n");
  due_in(160, on_short_timer, NULL);
}

int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  due(base, on_spare, NULL);
  event_base_dispatch(base);
  return 0;
}
