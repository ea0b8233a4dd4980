// possible: (active\ntimer\n){6}=0
// As zero_timer_goes_behind_what_is_active, after two seconds of work that is worth threads.
#include "p.h"
static int n, x[4];
static const char* said[12];
HANDLER(work) { UNUSED; for (volatile long i = 0; i < 8000000; ++i) continue; ++*(int*)arg; }
HANDLER(on_timer) { UNUSED; said[n++] = "timer"; if (n == 12) event_base_loopbreak(base); }
HANDLER(on_active) { UNUSED; said[n++] = "active"; }
HANDLER(on_a) {
  UNUSED;
  struct timeval now = {0, 0};
  event_add(evtimer_new(base, on_timer, NULL), &now);
  for (volatile long i = 0; i < 60000000; ++i) continue;
  event_active(event_new(base, -1, 0, on_active, NULL), EV_READ, 1);
}
HANDLER(round) {
  UNUSED;
  long left = (long)arg;
  for (int i = 0; i < 4; ++i) due(base, work, &x[i]);
  if (left < 6) due(base, on_a, NULL);
  if (left > 0) due_in(left < 7 ? 400 : 60, round, (void*)(left - 1));
}
int main(void) {
  base = event_base_new();
  due(base, round, (void*)30L);
  event_base_dispatch(base);
  for (int i = 0; i < n; ++i) puts(said[i]);
  return 0;
}
