// possible: active\ntimer\n=0
// The active event is of this pass, the timer of the next.
#include "p.h"
static int n;
static const char* said[2];
HANDLER(on_timer) {
  UNUSED;
  said[n++] = "timer";
}
HANDLER(on_active) {
  UNUSED;
  said[n++] = "active";
}
HANDLER(on_a) {
  UNUSED;
  struct timeval now = {0, 0};
  event_add(evtimer_new(base, on_timer, NULL), &now);
  take(60);
  event_active(event_new(base, -1, 0, on_active, NULL), EV_READ, 1);
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  for (int i = 0; i < n; ++i) puts(said[i]);
  return 0;
}
