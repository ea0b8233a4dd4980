/* Common timeouts come list by list: first the one whose first timeout has ended first. */
#include "small.h"

static char order[32];
static void note(const char* text) { strcat(order, text); }
HANDLER(on_spare) { UNUSED; }

static const struct timeval *longer, *shorter;
HANDLER(on_c) {
  UNUSED;
  note(arg);
}
HANDLER(on_h) {
  UNUSED;
  note("H");
  event_add(evtimer_new(base, on_c, "c"), longer);
  event_add(evtimer_new(base, on_c, "a"), shorter);
  take(30);
  event_base_update_cache_time(base);
  event_add(evtimer_new(base, on_c, "b"), shorter);
  event_add(evtimer_new(base, on_c, "d"), longer);
  take(100);
}

int main(void) {
  base = event_base_new();
  struct timeval x = {0, 30000}, y = {0, 10000};
  longer = event_base_init_common_timeout(base, &x);
  shorter = event_base_init_common_timeout(base, &y);
  due(base, on_h, NULL), due(base, on_spare, NULL);
  event_base_dispatch(base);
  puts(order);
  return 0;
}
