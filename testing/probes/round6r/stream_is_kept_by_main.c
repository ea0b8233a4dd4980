// possible: (work\n){3}=0
#include "p.h"
HANDLER(on_a) { UNUSED; take(10); puts("work"); }
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  for (int i = 0; i < 3; ++i) due(base, on_a, NULL);
  flockfile(stdout);
  event_base_dispatch(base);
  funlockfile(stdout);
  return 0;
}
