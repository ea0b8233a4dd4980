/* A handler ends the process beside another one that sleeps for long. */
#include "small.h"

HANDLER(on_spare) { UNUSED; }

HANDLER(on_b) {
  UNUSED;
  puts("B1");
  take(900), take(900), take(700);
  puts("B2");
}
HANDLER(on_a) {
  UNUSED;
  take(200);
  exit(3);
}

int main(void) {
  base = event_base_new();
  due(base, on_b, NULL), due(base, on_a, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  return 0;
}
