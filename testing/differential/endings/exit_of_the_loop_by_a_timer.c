// The time to exit comes while a handler runs that makes another one due.
#include "small.h"

HANDLER(on_tick) { UNUSED; }
HANDLER(on_work) {
  (void)fd, (void)what;
  take(40);
  event_active(arg, EV_READ, 1);
}
HANDLER(on_done) {
  UNUSED;
  say("done\n");
}
int main(void) {
  base = event_base_new();
  struct event* d = event_new(base, -1, 0, on_done, NULL);
  struct timeval t = {0, 20000};
  struct event* k = event_new(base, -1, EV_PERSIST, on_tick, NULL);
  struct timeval tt = {0, 3000};
  event_add(k, &tt);
  due(base, on_work, d);
  event_base_loopexit(base, &t);
  event_base_dispatch(base);
  puts("end");
}
