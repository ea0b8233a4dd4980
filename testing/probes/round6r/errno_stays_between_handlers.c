// possible: (77\n){3}=0
// Nothing between two calls of one pass changes it.
#include "p.h"
HANDLER(on_b) { UNUSED; int e = errno; printf("%d\n", e); }
HANDLER(on_a) { UNUSED; struct event* b = event_new(base, -1, 0, on_b, NULL); take(10); event_active(b, EV_READ, 1); errno = 77; }
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  event_base_dispatch(base);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
