/* Events with one common timeout are called in the order in which they were added, also if all of it ends while a
   handler runs. */
#include "small.h"

static char order[8];

HANDLER(on_timer) {
  UNUSED;
  strcat(order, arg);
}
HANDLER(on_spare) { UNUSED; }
HANDLER(on_work) {
  UNUSED;
  order[4] = 0;
  take(80);
}

int main(void) {
  static char* names[] = {"1", "2", "3", "4"};
  const struct timeval soon = {0, 20000};
  base = event_base_new();
  const struct timeval* common = event_base_init_common_timeout(base, &soon);
  for (int i = 0; i < 4; ++i) event_add(evtimer_new(base, on_timer, names[i]), common);
  due(base, on_work, NULL);
  due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
