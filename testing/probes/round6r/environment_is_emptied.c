// possible: (work\n){2}=0
#include "p.h"
HANDLER(on_a) { UNUSED; take(20); puts("work"); }
int main(void) {
  clearenv();
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
