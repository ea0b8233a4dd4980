// possible: second\nfirst\n=0
// One pass has one time: of two timers set in it the shorter comes first, whoever set it when.
#include "p.h"
static int order;
HANDLER(on_first) {
  UNUSED;
  order++;
  puts("first");
}
HANDLER(on_second) {
  UNUSED;
  order++;
  puts("second");
}
HANDLER(on_a) {
  UNUSED;
  order++;
  due_in(200, on_first, NULL);
  take(100);
}
HANDLER(on_b) {
  UNUSED;
  order++;
  due_in(160, on_second, NULL);
}
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  due(base, spare, NULL);
  event_base_dispatch(base);
  return 0;
}
