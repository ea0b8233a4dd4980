// possible: (0|1) ticks\n=0
// After the long handler comes what it made due; a poll that finds a second tick is made behind that only.
#include "p.h"
static int ticks;
HANDLER(on_tick) {
  UNUSED;
  ++ticks;
}
HANDLER(after) {
  UNUSED;
  printf("%d ticks\n", ticks);
  event_base_loopbreak(base);
}
HANDLER(on_long) {
  UNUSED;
  take(150);
  event_base_once(base, -1, EV_TIMEOUT, after, NULL, NULL);
}
int main(void) {
  base = event_base_new();
  struct timeval t = {0, 20000};
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &t);
  due(base, on_long, NULL);
  event_base_dispatch(base);
  return 0;
}
