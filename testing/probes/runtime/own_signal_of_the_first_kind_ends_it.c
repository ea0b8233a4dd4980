// possible: =-10
// SIGUSR1 was left at its default: raise() ends the process.
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  raise(SIGUSR1);
  puts("alive");
}
int main(void) {
  base = event_base_new();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
