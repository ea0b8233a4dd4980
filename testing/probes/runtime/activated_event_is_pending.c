// possible: pending 2 -1\ncalled\n=0
// Until A returns the other is not called: it is pending, and its priority cannot be changed.
#include "p.h"
static struct event* other;
HANDLER(on_other) {
  UNUSED;
  fputs("called\n", stderr);
}
HANDLER(on_a) {
  UNUSED;
  event_active(other, EV_READ, 1);
  take(80);
  int p = event_pending(other, EV_READ, NULL);
  printf("pending %d %d\n", p, event_priority_set(other, 0));
}
int main(void) {
  base = event_base_new();
  other = event_new(base, -1, 0, on_other, NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
