// possible: short\n0\n=0
// Three hundred years and more.
#include "p.h"
HANDLER(on_long) { UNUSED; puts("long"); }
HANDLER(on_short) { UNUSED; puts("short"); event_base_loopexit(base, NULL); }
int main(void) {
  base = event_base_new();
  struct timeval t = {20000000000L, 0};
  event_add(evtimer_new(base, on_long, NULL), &t);
  due(base, spare, NULL);
  due_in(30, on_short, NULL);
  printf("%d\n", event_base_dispatch(base));
  return 0;
}
