// possible: 2 events\n=0
#include "p.h"
HANDLER(on_a) { UNUSED; }
static int count(const struct event_base* b, const struct event* e, void* arg) {
  (void)b, (void)e;
  ++*(int*)arg;
  return 0;
}
int main(void) {
  base = event_base_new();
  struct timeval t = {10, 0};
  event_add(evtimer_new(base, on_a, NULL), event_base_init_common_timeout(base, &t));
  int n = 0;
  event_base_foreach_event(base, count, &n);
  printf("%d events\n", n);
  return 0;
}
