// possible: ended\n=0
// exit() ends the calling thread's objects (C++20 6.9.3.4): those of main, for the loop runs there.
extern "C" {
#include "p.h"
}
struct Value { int n = 0; ~Value() { if (n) puts("ended"); } };
static thread_local Value value;
HANDLER(on_a) { UNUSED; take(30); exit(0); }
HANDLER(work) { UNUSED; take(60); }
int main() {
  value.n = 1;
  base = event_base_new();
  due(base, work, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
