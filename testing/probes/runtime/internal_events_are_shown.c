// possible: 2 events\n=0
// event_base_foreach_event() shows the event by which signals come, too.
#include "p.h"
HANDLER(on_a) { UNUSED; }
static int count(const struct event_base* b, const struct event* e, void* arg) {
  (void)b, (void)e;
  ++*(int*)arg;
  return 0;
}
int main(void) {
  base = event_base_new();
  event_add(evsignal_new(base, SIGUSR1, on_a, NULL), NULL);
  int n = 0;
  event_base_foreach_event(base, count, &n);
  printf("%d events\n", n);
  return 0;
}
