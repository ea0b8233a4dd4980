// possible: none\n=0
// What a program finds in its environment, and hands on to what it starts, nobody has changed.
#include "p.h"
HANDLER(on_a) { UNUSED; puts(getenv("LD_PRELOAD") ? "preloaded" : "none"); }
int main(void) {
  base = event_base_new();
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
