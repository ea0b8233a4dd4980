// possible: caught 3\n=0
extern "C" {
#include "p.h"
}
HANDLER(on_a) { UNUSED; take(30); throw 3; }
HANDLER(work) { UNUSED; take(100); }
int main() {
  base = event_base_new();
  due(base, work, NULL);
  due(base, on_a, NULL);
  try {
    event_base_dispatch(base);
  } catch (int n) { printf("caught %d\n", n); }
  return 0;
}
